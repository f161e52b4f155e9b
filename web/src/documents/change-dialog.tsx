import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { chosenFolder, FolderField } from "./folder-field.tsx";
import { changeDocument, type DocumentChange, type StoredDocument } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

interface ChangeProps {
  document: StoredDocument;
  onClose: () => void;
}

/** Renames or moves a document. */
export function ChangeDialog({ document, onClose }: ChangeProps) {
  const texts = useDocumentTexts();
  const change = useDocumentChange(
    (changed: DocumentChange) => changeDocument(document.id, changed),
    onClose,
  );
  return (
    <FormDialog
      title={texts.rename}
      action={texts.save}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) => {
        const folderId = chosenFolder(fields);
        const isMoved = folderId !== document.folderId;
        change.mutate({
          fileName: textOf(fields, "fileName"),
          ...(isMoved && { folderId }),
        });
      }}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="fileName"
        defaultValue={document.fileName}
        maxLength={255}
        required
        autoFocus
      />
      <FolderField current={document.folderId} />
    </FormDialog>
  );
}
