import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { Problem } from "../ui/states.tsx";
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

/** Gives a document another name or folder. */
export function ChangeDialog({ document, onClose }: ChangeProps) {
  const texts = useDocumentTexts();
  const folders = useQuery(foldersQuery(undefined)).data?.items ?? [];
  const change = useDocumentChange(
    (changed: DocumentChange) => changeDocument(document.id, changed),
    onClose,
  );
  return (
    <Dialog title={texts.rename} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const fileName = String(fields.get("fileName") ?? "");
          change.mutate({ fileName, folderId: String(fields.get("folder") ?? "") || null });
        }}
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
        {change.error && <Problem error={change.error} />}
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.save}
        </Button>
      </form>
    </Dialog>
  );
}
