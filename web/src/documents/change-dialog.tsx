import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { chosenFolder, FolderField } from "./folder-field.tsx";
import {
  changeDocument,
  type DocumentChange,
  type StoredDocument,
  useDocumentChange,
  deleteDocument,
  DOCUMENT_KEYS,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { ConfirmChange } from "../shell/confirm-change.tsx";

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

interface DeletionProps {
  document: StoredDocument;
  onClose: () => void;
  onDone?: () => void;
}

/** Deletes a document permanently, after confirmation. */
export function Deletion({ document, onClose, onDone }: DeletionProps) {
  const texts = useDocumentTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle}
      text={texts.deleteText(document.fileName)}
      action={texts.delete}
      run={() => deleteDocument(document.id)}
      keys={DOCUMENT_KEYS}
      done={texts.deleted}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
