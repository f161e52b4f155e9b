import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { FolderPlus, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { SEGMENTS_LOOK, segmentLook } from "../ui/segments.ts";
import { FolderDialog } from "./folder-dialog.tsx";
import { AGENT_KEYS, deleteFolder, foldersQuery, type TreeFolder } from "./queries.ts";
import { type View, VIEWS } from "./routes.ts";
import { useAgentTexts } from "./texts.ts";

interface PlacesProps {
  view: View | undefined;
  folder: string | undefined;
  q: string | undefined;
}

/** Whose agents are shown. What is searched for stays. */
export function Places({ view, folder, q }: PlacesProps) {
  const texts = useAgentTexts();
  const open = folder === undefined ? view : "own";
  return (
    <nav aria-label={texts.places} className={`flex-wrap ${SEGMENTS_LOOK}`}>
      {[undefined, ...VIEWS].map((one) => (
        <Link
          key={one ?? "all"}
          to="/agents"
          search={{ ...(q !== undefined && { q }), ...(one && { view: one }) }}
          aria-current={one === open ? "page" : undefined}
          className={segmentLook(one === open)}
        >
          {one ? texts.views[one] : texts.all}
        </Link>
      ))}
    </nav>
  );
}

/** The open folder with the way back, and the folders in it; without one, all that lie in none. */
export function Folders({ folder }: { folder: string | undefined }) {
  const { data } = useQuery(foldersQuery);
  const open = findFolder(data?.folders ?? [], folder);
  const shown = folder === undefined ? data?.folders : open?.children;
  return (
    <>
      {open && <OpenFolder folder={open} all={data?.folders ?? []} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-2.5 empty:hidden">
        {shown?.map((one) => (
          <FolderCard key={one.id} folder={one} />
        ))}
      </ul>
    </>
  );
}

function FolderCard({ folder }: { folder: TreeFolder }) {
  const { id, name } = folder;
  return (
    <li className="relative flex min-h-14 min-w-0 items-center gap-3 rounded-lg border border-hairline bg-raised pr-1.5 pl-3 hover:border-hairline-strong hover:shadow-2">
      <FileIcon name="" isFolder />
      <Link
        to="/agents"
        search={{ folder: id }}
        title={name}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0 after:content-['']"
      >
        <bdi>{name}</bdi>
      </Link>
      <span className="relative z-[1]">
        <FolderMenu folder={folder} />
      </span>
    </li>
  );
}

interface OpenFolderProps {
  folder: TreeFolder;
  all: readonly TreeFolder[];
}

function OpenFolder({ folder, all }: OpenFolderProps) {
  const texts = useAgentTexts();
  const parent = findFolder(all, folder.parentId ?? undefined);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        to="/agents"
        search={parent ? { folder: parent.id } : { view: "own" }}
        title={parent?.name}
        className={
          "inline-flex min-h-8 max-w-60 items-center rounded-md border border-hairline bg-raised " +
          "px-3 py-1 hover:bg-hover pointer-coarse:min-h-11"
        }
      >
        <bdi className="truncate">{parent?.name ?? texts.views.own}</bdi>
      </Link>
      <h2 className="flex min-w-0 flex-1 basis-40 items-center gap-2 text-lg">
        <FileIcon name="" isFolder />
        <bdi className="truncate" title={folder.name}>
          {folder.name}
        </bdi>
      </h2>
      <FolderMenu folder={folder} />
    </div>
  );
}

function findFolder(
  folders: readonly TreeFolder[],
  id: string | undefined,
): TreeFolder | undefined {
  for (const folder of folders) {
    const found = folder.id === id ? folder : findFolder(folder.children, id);
    if (found) return found;
  }
  return undefined;
}

type Open = "new" | "change" | "delete" | undefined;

/** The actions on a folder. */
function FolderMenu({ folder }: { folder: TreeFolder }) {
  const texts = useAgentTexts();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayCreate = usePermission("agent:create");
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  const item = (key: NonNullable<Open>, label: string, icon: typeof Pencil) => ({
    key,
    label,
    icon,
    onChoose: () => setOpen(key),
  });
  const items = [
    ...(mayCreate ? [item("new", texts.newFolderInside, FolderPlus)] : []),
    ...(mayUpdate ? [item("change", texts.changeFolder, Pencil)] : []),
    ...(mayDelete
      ? [{ ...item("delete", texts.deleteFolder, Trash2), isDanger: true }]
      : []),
  ];
  return (
    <>
      <ActionsMenu label={texts.actions(folder.name)} items={items} />
      {open === "new" && <FolderDialog parentId={folder.id} onClose={close} />}
      {open === "change" && (
        <FolderDialog folder={folder} parentId={folder.parentId} onClose={close} />
      )}
      {open === "delete" && <FolderDeletion folder={folder} onClose={close} />}
    </>
  );
}

function FolderDeletion({ folder, onClose }: { folder: TreeFolder; onClose: () => void }) {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  return (
    <ConfirmChange
      title={texts.deleteFolderTitle}
      text={texts.deleteFolderText(folder.name)}
      action={texts.deleteFolder}
      run={() => deleteFolder(folder.id)}
      keys={AGENT_KEYS}
      done={texts.folderDeleted}
      onDone={() =>
        void navigate({
          to: "/agents",
          search: folder.parentId ? { folder: folder.parentId } : { view: "own" },
        })
      }
      onClose={onClose}
    />
  );
}
