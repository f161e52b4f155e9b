import { Confirm } from "../ui/confirm.tsx";
import { notify } from "../ui/notices.tsx";
import { deleteDocument, type StoredDocument } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

interface DeletionProps {
  document: StoredDocument;
  onClose: () => void;
  onDone?: () => void;
}

/** Deletes a document permanently, after confirmation. */
export function Deletion({ document, onClose, onDone }: DeletionProps) {
  const texts = useDocumentTexts();
  const remove = useDocumentChange(
    () => deleteDocument(document.id),
    () => {
      onClose();
      onDone?.();
      notify(texts.deleted);
    },
  );
  return (
    <Confirm
      title={texts.deleteTitle}
      text={texts.deleteText(document.fileName)}
      action={texts.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
