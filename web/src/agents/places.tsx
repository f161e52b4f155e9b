import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Folder, FolderOpen, type LucideIcon } from "lucide-react";
import { Bot, Building2, Share2, Star, User } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import { FolderMenu } from "./folder-menu.tsx";
import { foldersQuery, type TreeFolder } from "./queries.ts";
import { type View, VIEWS } from "./routes.ts";
import { useAgentTexts } from "./texts.ts";

const ICONS: Record<View, LucideIcon> = {
  favorites: Star,
  own: User,
  shared: Share2,
  organization: Building2,
};
const ROW =
  "flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken " +
  "pointer-coarse:min-h-11";

interface PlacesProps {
  view: View | undefined;
  folder: string | undefined;
}

/** The navigation of agents: by owner, with the user's own folders as a tree. */
export function Places({ view, folder }: PlacesProps) {
  const texts = useAgentTexts();
  const { data } = useQuery(foldersQuery);
  const [isOpen, setOpen] = useState(false);
  const open = findFolder(data?.folders ?? [], folder);
  const current = open?.name ?? (view ? texts.views[view] : texts.all);
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={join(ROW, "w-full border border-hairline bg-raised text-left md:hidden")}
      >
        <ChevronRight aria-hidden size={16} className={join(isOpen && "rotate-90")} />
        <bdi className="truncate">{current}</bdi>
      </button>
      <nav aria-label={texts.places} className={join("md:block", !isOpen && "hidden")}>
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
      </nav>
    </div>
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
