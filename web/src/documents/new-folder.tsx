import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { createFolder } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

interface NewFolderProps {
  parentId: string | null;
  onClose: () => void;
}

export function NewFolderDialog({ parentId, onClose }: NewFolderProps) {
  const texts = useDocumentTexts();
  const create = useDocumentChange((name: string) => createFolder(name, parentId), onClose);
  return (
    <FormDialog
      title={texts.newFolder}
      action={texts.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) => create.mutate(textOf(fields, "name"))}
      onClose={onClose}
    >
      <TextField label={texts.folderName} name="name" maxLength={200} required autoFocus />
    </FormDialog>
  );
}
