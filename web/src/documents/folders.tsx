import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { FolderPen } from "lucide-react";
import { type ReactNode, useState } from "react";
import { AccessReason } from "../sharing/access-reason.tsx";
import { ShareButton } from "../sharing/dialog.tsx";
import { Labels } from "../shell/labels/labels.tsx";
import { useMayShare } from "../sharing/use-may-share.ts";
import {
  folderNameQuery,
  foldersQuery,
  changeFolder,
  type FolderChange,
  folderQuery,
  useDocumentChange,
} from "./queries.ts";
import { formatNumber } from "../texts/format.ts";
import { useDocumentTexts } from "./texts.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { join } from "../ui/join.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { chosenFolder, FolderField } from "./folder-field.tsx";

interface FoldersProps {
  folderId: string | undefined;
  /** The folder above which files are being dragged. */
  dropPlace: string | undefined;
}

/** The folder that is open, and the folders in it. Each takes files that are dropped on it. */
export function Folders({ folderId, dropPlace }: FoldersProps) {
  const texts = useDocumentTexts();
  const { data } = useQuery(foldersQuery(folderId));
  const { sort, order } = useSearch({ from: "/app/documents-list" });
  const sorting = { ...(sort && { sort }), ...(order && { order }) };
  const folders =
    folderId === undefined ? data?.items.filter(({ parentId }) => !parentId) : data?.items;
  return (
    <div className="grid gap-2 empty:hidden">
      {folderId !== undefined && <OpenFolder id={folderId} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-2.5 empty:hidden">
        {folders?.map(({ id, name, documentCount }) => (
          <li key={id} data-drop-place={id} className="min-w-0">
            <Link
              to="/documents/$folder"
              params={{ folder: id }}
              search={sorting}
              title={name}
              className={join(
                "flex min-h-14 items-center gap-3 rounded-lg border px-3",
                id === dropPlace
                  ? "border-accent bg-accent-soft outline-2 outline-accent"
                  : "border-hairline bg-raised hover:border-hairline-strong hover:shadow-2",
              )}
            >
              <FileIcon name="" isFolder />
              <span className="min-w-0">
                <bdi className="block truncate font-medium">{name}</bdi>
                <span className="block truncate text-xs text-muted">
                  {texts.documentCount(documentCount, formatNumber(documentCount))}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The way back, the name of the folder, and for its owners buttons that change and share it. */
function OpenFolder({ id }: { id: string }) {
  const texts = useDocumentTexts();
  const { data: name } = useQuery(folderNameQuery(id));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FolderLink to="/documents">{texts.all}</FolderLink>
      {name && (
        <h2 className="flex min-w-0 flex-1 basis-40 items-center gap-2 text-lg">
          <FileIcon name="" isFolder />
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
        </h2>
      )}
      {name && (
        <ShareButton
          resource={{ resourceType: "folder", resourceId: id }}
          name={name}
          path={`/documents/${id}`}
        >
          {texts.shareFolder}
        </ShareButton>
      )}
      {name && <Labels resource={{ resourceType: "folder", resourceId: id }} offersFirst />}
      {name && <ChangeFolderButton key={id} id={id} />}
      {name && <Reason id={id} />}
    </div>
  );
}

function Reason({ id }: { id: string }) {
  const resource = { resourceType: "folder", resourceId: id } as const;
  const isOwner = useMayShare(resource);
  return isOwner ? null : <AccessReason resource={resource} />;
}

function FolderLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className={
        "inline-flex min-h-8 max-w-full items-center gap-2 rounded-md border border-hairline " +
        "bg-raised px-3 py-1 hover:bg-hover pointer-coarse:min-h-11"
      }
    >
      {children}
    </Link>
  );
}

/** Renames and moves a folder; shown only to its owners. */
function ChangeFolderButton({ id }: { id: string }) {
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
      {!folder && !error && <Loading shape="fields" lines={2} />}
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
