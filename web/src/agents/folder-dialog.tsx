import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { FolderSelect } from "./folder-select.tsx";
import { changeFolder, createFolder, type TreeFolder, useAgentChange } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface FolderDialogProps {
  /** Absent: a new folder. */
  folder?: TreeFolder;
  parentId: string | null;
  onClose: () => void;
}

/** Edits the name and the parent of a folder. */
export function FolderDialog({ folder, parentId, onClose }: FolderDialogProps) {
  const texts = useAgentTexts();
  const save = useAgentChange(
    ({ name, parent }: { name: string; parent: string | null }) =>
      folder
        ? changeFolder(folder.id, { name, parentId: parent })
        : createFolder(name, parent),
    onClose,
  );
  return (
    <FormDialog
      title={folder ? texts.changeFolder : texts.newFolder}
      action={folder ? texts.save : texts.create}
      busy={save.isPending}
      error={save.error}
      onSubmit={(fields) =>
        save.mutate({
          name: textOf(fields, "name"),
          parent: textOf(fields, "folder") || null,
        })
      }
      onClose={onClose}
    >
      <TextField
        label={texts.folderName}
        name="name"
        defaultValue={folder?.name}
        maxLength={200}
        required
        autoFocus
      />
      <FolderSelect
        label={texts.liesIn}
        defaultValue={parentId}
        {...(folder && { without: folder.id })}
      />
    </FormDialog>
  );
}
