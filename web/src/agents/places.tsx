import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  ChevronRight,
  Folder,
  FolderOpen,
  type LucideIcon,
  Bot,
  Building2,
  Share2,
  Star,
  User,
  FolderPlus,
  Pencil,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import { SideLinks } from "../ui/side-links.tsx";
import { foldersQuery, type TreeFolder, deleteFolder, AGENT_KEYS } from "./queries.ts";
import { type View, VIEWS } from "./routes.ts";
import { useAgentTexts } from "./texts.ts";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

const ICONS: Record<View, LucideIcon> = {
  favorites: Star,
  own: User,
  shared: Share2,
  organization: Building2,
};
const ROW =
  "flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 hover:bg-hover " +
  "pointer-coarse:min-h-11";

interface PlacesProps {
  view: View | undefined;
  folder: string | undefined;
}

/** The navigation of agents: by owner, with the user's own folders as a tree. */
export function Places({ view, folder }: PlacesProps) {
  const texts = useAgentTexts();
  const { data } = useQuery(foldersQuery);
  const open = findFolder(data?.folders ?? [], folder);
  const place = view ? texts.views[view] : texts.all;
  const current = open?.name ?? (folder !== undefined && !data ? "…" : place);
  return (
    <SideLinks label={texts.places} current={current}>
      <ul className="grid gap-0.5 pt-1">
        <Place icon={Bot} label={texts.all} isCurrent={!view && !folder} />
        {VIEWS.map((one) => (
          <Place
            key={one}
            view={one}
            icon={ICONS[one]}
            label={texts.views[one]}
            isCurrent={one === view}
          />
        ))}
      </ul>
      {data && data.folders.length > 0 && (
        <>
          <h2 className="px-2 pt-4 pb-1 font-sans text-xs font-medium text-muted">
            {texts.folders}
          </h2>
          <Branch folders={data.folders} current={folder} />
        </>
      )}
    </SideLinks>
  );
}

interface PlaceProps {
  view?: View;
  icon: LucideIcon;
  label: string;
  isCurrent: boolean;
}

function Place({ view, icon: Icon, label, isCurrent }: PlaceProps) {
  return (
    <li className="flex">
      <Link
        to="/agents"
        search={view ? { view } : {}}
        aria-current={isCurrent ? "page" : undefined}
        className={join(ROW, isCurrent && "bg-sunken font-medium")}
      >
        <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
        {label}
      </Link>
    </li>
  );
}

interface BranchProps {
  folders: readonly TreeFolder[];
  current: string | undefined;
}

function Branch({ folders, current }: BranchProps) {
  return (
    <ul className="grid gap-0.5">
      {folders.map((folder) => (
        <FolderItem key={folder.id} folder={folder} current={current} />
      ))}
    </ul>
  );
}

function FolderItem({
  folder,
  current,
}: {
  folder: TreeFolder;
  current: string | undefined;
}) {
  const texts = useAgentTexts();
  const { id, name, children } = folder;
  const [isOpen, setOpen] = useState(true);
  const isCurrent = id === current;
  const Icon = isCurrent ? FolderOpen : Folder;
  return (
    <li>
      <div className="flex items-center">
        <Link
          to="/agents"
          search={{ folder: id }}
          title={name}
          aria-current={isCurrent ? "page" : undefined}
          className={join(ROW, isCurrent && "bg-sunken font-medium")}
        >
          <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
          <bdi className="truncate">{name}</bdi>
        </Link>
        {children.length > 0 && (
          <IconButton
            icon={ChevronRight}
            label={isOpen ? texts.close(name) : texts.open(name)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className={join("[&>svg]:transition-transform", isOpen && "[&>svg]:rotate-90")}
          />
        )}
        <FolderMenu folder={folder} />
      </div>
      {isOpen && children.length > 0 && (
        <div className="ml-3 border-l border-hairline pl-1">
          <Branch folders={children} current={current} />
        </div>
      )}
    </li>
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
          search: folder.parentId ? { folder: folder.parentId } : {},
        })
      }
      onClose={onClose}
    />
  );
}
