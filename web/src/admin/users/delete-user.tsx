import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import type { User } from "./queries.ts";
import { UserFinder } from "./user-finder.tsx";
import { useUserTexts } from "./texts.ts";

interface DeleteUserProps {
  user: Pick<User, "id" | "name">;
  /** Without a recipient the data is deleted. */
  run: (id: string, heir: string | undefined) => Promise<unknown>;
  onClose: () => void;
}

/** Deletes a user. Their data is transferred to another user, or deleted too. */
export function DeleteUser({ user, run, onClose }: DeleteUserProps) {
  const texts = useUserTexts();
  const remove = useChange({
    run: (heir: string | undefined) => run(user.id, heir),
    keys: DELETION_KEYS,
    onDone() {
      onClose();
      notify(texts.deleted(user.name));
    },
  });
  return (
    <DeletionDialog
      title={texts.deleteTitle(user.name)}
      text={texts.deleteText}
      action={texts.delete}
      ids={[user.id]}
      busy={remove.isPending}
      error={remove.error}
      onDelete={(heir) => remove.mutate(heir)}
      onClose={onClose}
    />
  );
}

/** What shows users, or that somebody is in a group. */
export const DELETION_KEYS = [["users"], ["groups"], ["group"]];

interface DeletionDialogProps {
  title: string;
  text: string;
  action: string;
  /** Who is deleted. */
  ids: readonly string[];
  busy: boolean;
  error?: unknown;
  /** Without a recipient the data is deleted. */
  onDelete: (heir: string | undefined) => void;
  onClose: () => void;
}

/** Asks what becomes of the data of those who are deleted. */
export function DeletionDialog(props: DeletionDialogProps) {
  const { title, text, action, ids, busy, error, onDelete, onClose } = props;
  const texts = useUserTexts();
  const [fate, setFate] = useState<"transfer" | "delete">("transfer");
  const [heir, setHeir] = useState<Pick<User, "id" | "name">>();
  const lacksHeir = fate === "transfer" && heir === undefined;
  return (
    <FormDialog
      title={title}
      action={action}
      busy={busy || lacksHeir}
      error={error}
      onSubmit={() => onDelete(fate === "transfer" ? heir?.id : undefined)}
      onClose={onClose}
    >
      <p>{text}</p>
      <fieldset className="grid gap-1">
        <legend className="font-medium">{texts.fate}</legend>
        {(["transfer", "delete"] as const).map((one) => (
          <Checkbox
            key={one}
            type="radio"
            name="fate"
            checked={fate === one}
            onChange={() => setFate(one)}
            label={texts.fates[one]}
            hint={texts.fateHints[one]}
          />
        ))}
      </fieldset>
      {fate === "transfer" && (
        <UserFinder
          label={texts.heir}
          hint={heir ? texts.heirIs(heir.name) : texts.heirHint}
          without={ids}
          onChoose={setHeir}
        />
      )}
    </FormDialog>
  );
}
