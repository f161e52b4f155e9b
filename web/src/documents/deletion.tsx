import { ConfirmChange } from "../shell/confirm-change.tsx";
import { DOCUMENT_KEYS } from "./use-change.ts";
import { deleteDocument, type StoredDocument } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

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
