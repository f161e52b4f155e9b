import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Folder as FolderIcon } from "lucide-react";
import type { ReactNode } from "react";
import { AccessReason } from "../sharing/access-reason.tsx";
import { ShareButton } from "../sharing/dialog.tsx";
import { useMayShare } from "../sharing/use-may-share.ts";
import { ChangeFolderButton } from "./change-folder.tsx";
import { folderNameQuery, foldersQuery } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

/** The folder that is open, and the folders in it. */
export function Folders({ folderId }: { folderId: string | undefined }) {
  const { data } = useQuery(foldersQuery(folderId));
  const folders =
    folderId === undefined ? data?.items.filter(({ parentId }) => !parentId) : data?.items;
  return (
    <div className="grid gap-2 empty:hidden">
      {folderId !== undefined && <OpenFolder id={folderId} />}
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {folders?.map(({ id, name }) => (
          <li key={id} className="max-w-full">
            <FolderLink to={`/documents/${id}`}>
              <FolderIcon aria-hidden size={16} className="shrink-0 text-muted" />
              <bdi className="truncate">{name}</bdi>
            </FolderLink>
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
          <FolderIcon aria-hidden size={18} className="shrink-0 text-muted" />
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
        "bg-raised px-3 py-1 hover:bg-sunken pointer-coarse:min-h-11"
      }
    >
      {children}
    </Link>
  );
}
