import { useChange } from "../../shell/use-change.ts";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Group, GroupProfile } from "./queries.ts";
import { useGroupTexts } from "./texts.ts";

interface GroupDialogProps {
  title: string;
  action: string;
  /** The group to change; undefined for a new one. */
  group?: Group;
  run: (fields: Required<GroupProfile>) => Promise<Group>;
  onDone?: (group: Group) => void;
  onClose: () => void;
}

/** Name, description and origin of a group. */
export function GroupDialog({
  title,
  action,
  group,
  run,
  onDone,
  onClose,
}: GroupDialogProps) {
  const texts = useGroupTexts();
  const save = useChange({
    run,
    keys: [["groups"], ["group"]],
    onDone(saved: Group) {
      onClose();
      onDone?.(saved);
    },
  });
  return (
    <FormDialog
      title={title}
      action={action}
      busy={save.isPending}
      error={save.error}
      onSubmit={(fields) =>
        save.mutate({
          name: textOf(fields, "name"),
          description: textOf(fields, "description"),
          externalName: textOf(fields, "externalName") || null,
        })
      }
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={group?.name}
        maxLength={200}
        required
        autoFocus
      />
      <TextArea
        label={texts.description}
        name="description"
        defaultValue={group?.description}
        maxLength={2_000}
        rows={2}
      />
      <TextField
        label={texts.externalName}
        hint={texts.externalNameHint}
        name="externalName"
        defaultValue={group?.externalName ?? ""}
        maxLength={200}
      />
    </FormDialog>
  );
}
