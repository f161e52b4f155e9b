import { useQuery } from "@tanstack/react-query";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import {
  changeDocument,
  type DocumentChange,
  foldersQuery,
  type StoredDocument,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

interface ChangeProps {
  document: StoredDocument;
  onClose: () => void;
}

/** Renames or moves a document. */
export function ChangeDialog({ document, onClose }: ChangeProps) {
  const texts = useDocumentTexts();
  const folders = useQuery(foldersQuery(undefined)).data?.items ?? [];
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
      onSubmit={(fields) =>
        change.mutate({
          fileName: textOf(fields, "fileName"),
          folderId: textOf(fields, "folder") || null,
        })
      }
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
      <SelectField
        label={texts.moveTo}
        name="folder"
        defaultValue={document.folderId ?? ""}
        key={folders.length}
      >
        <option value="">{texts.top}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
