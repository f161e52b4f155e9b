import { useQuery } from "@tanstack/react-query";
import { FolderPen } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { useMayShare } from "../sharing/use-may-share.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { chosenFolder, FolderField } from "./folder-field.tsx";
import { changeFolder, type FolderChange, folderQuery } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

/** Renames and moves a folder; shown only to its owners. */
export function ChangeFolderButton({ id }: { id: string }) {
  const texts = useDocumentTexts();
  const mayChange = usePermission("document:update");
  const isOwner = useMayShare({ resourceType: "folder", resourceId: id });
  const [isOpen, setOpen] = useState(false);
  if (!isOwner || !mayChange) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <FolderPen aria-hidden size={16} />
        {texts.changeFolder}
      </Button>
      {isOpen && <ChangeFolderDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeFolderDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const texts = useDocumentTexts();
  // the form starts from the stored values, not from those read before the last change
  const query = { ...folderQuery(id), staleTime: 0 };
  const { data, error, refetch, isFetchedAfterMount } = useQuery(query);
  const folder = isFetchedAfterMount ? data : undefined;
  const change = useDocumentChange(
    (changed: FolderChange) => changeFolder(id, changed),
    onClose,
  );
  return (
    <FormDialog
      title={texts.changeFolder}
      action={texts.save}
      busy={change.isPending || !folder}
      error={change.error}
      onSubmit={(fields) => {
        const parentId = chosenFolder(fields);
        const isMoved = parentId !== folder?.parentId;
        change.mutate({ name: textOf(fields, "name"), ...(isMoved && { parentId }) });
      }}
      onClose={onClose}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!folder && !error && <Loading lines={2} />}
      {folder && (
        <>
          <TextField
            label={texts.folderName}
            name="name"
            defaultValue={folder.name}
            maxLength={200}
            required
            autoFocus
          />
          <FolderField current={folder.parentId} moved={id} />
        </>
      )}
    </FormDialog>
  );
}
