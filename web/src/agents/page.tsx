import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Bot, FolderPlus, Plus, Search, Share2, FolderInput, Trash2 } from "lucide-react";
import { type ComponentProps, Fragment, useState } from "react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { FolderDialog } from "./folder-dialog.tsx";
import { Folders, Places } from "./places.tsx";
import {
  agentsByIdQuery,
  agentsQuery,
  favoritesQuery,
  foldersQuery,
  type VisibleListedAgent,
  deleteAgents,
  MAX_AGENTS_PER_CALL,
  moveAgents,
  restoreAgents,
} from "./queries.ts";
import { AgentRow } from "./row.tsx";
import type { View } from "./routes.ts";
import { useAgentTexts } from "./texts.ts";
import { useChosen, type Chosen } from "../ui/use-chosen.ts";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { MoveDialog } from "./move-dialog.tsx";

/** The user's own agents in folders, and those that others share. */
export function AgentsPage() {
  const texts = useAgentTexts();
  const search = useSearch({ from: "/app/agents" });
  const navigate = useNavigate({ from: "/agents" });
  const { q, view, folder } = search;
  const isStart = view === undefined && folder === undefined && q === undefined;
  return (
    <Page title={texts.title} actions={<Actions folder={folder} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <div className="min-w-0 flex-1 basis-72">
            <SearchField
              label={texts.search}
              value={q}
              onSearch={(words) =>
                void navigate({ search: { ...search, q: words }, replace: true })
              }
            />
          </div>
          <Places view={view} folder={folder} q={q} />
        </div>
        {isStart ? (
          <Start />
        ) : (
          <Listed key={`${view} ${folder}`} view={view} folder={folder} q={q} />
        )}
      </div>
    </Page>
  );
}

function Actions({ folder }: { folder: string | undefined }) {
  const texts = useAgentTexts();
  const [isNaming, setNaming] = useState(false);
  if (!usePermission("agent:create")) return null;
  return (
    <>
      <Button look="quiet" title={texts.newFolder} onClick={() => setNaming(true)}>
        <FolderPlus aria-hidden size={16} strokeWidth={1.75} />
        <span className="max-sm:sr-only">{texts.newFolder}</span>
      </Button>
      <NewAgentLink folder={folder} />
      {isNaming && (
        <FolderDialog parentId={folder ?? null} onClose={() => setNaming(false)} />
      )}
    </>
  );
}

function NewAgentLink({ folder }: { folder: string | undefined }) {
  const texts = useAgentTexts();
  return (
    <Link
      to="/agents/new"
      search={folder === undefined ? {} : { folder }}
      className={buttonLook("primary")}
    >
      <Plus aria-hidden size={16} />
      {texts.newAgent}
    </Link>
  );
}

interface ListedProps {
  view: View | undefined;
  folder: string | undefined;
  q: string | undefined;
}

function Listed({ view, folder, q }: ListedProps) {
  const place =
    folder === undefined
      ? { scope: view ?? ("all" as const) }
      : { scope: "own" as const, folderId: folder };
  const list = useList(agentsQuery(place, q));
  const hasFolders = q === undefined && (view === "own" || folder !== undefined);
  const folders = useQuery({ ...foldersQuery, enabled: hasFolders });
  // each row has its star, and stands below the folders
  const isStarred = !awaitsFirst(useQuery(favoritesQuery));
  if (list.isPending || !isStarred || awaitsFirst(folders))
    return <Loading shape="cards" lines={6} />;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      {hasFolders && <Folders folder={folder} />}
      <Rows groups={[{ agents: list.data.items }]} list={list} />
      {list.data.total === 0 && (
        <Nothing isSearch={q !== undefined} view={view} folder={folder} />
      )}
      <More list={list} />
    </>
  );
}

/** The favourites, and all others. */
function Start() {
  const texts = useAgentTexts();
  const list = useList(agentsQuery({ scope: "all" }, undefined));
  const favorites = useQuery(favoritesQuery);
  // those of now: nothing moves away from a star that is pressed
  const [ids, setIds] = useState<readonly string[]>();
  if (ids === undefined && !awaitsFirst(favorites)) setIds(favorites.data ?? []);
  const marked = useQuery(agentsByIdQuery(ids ?? []));
  if (list.isPending || ids === undefined || awaitsFirst(marked))
    return <Loading shape="cards" lines={6} />;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  const first = ids.length > 0 ? (marked.data ?? []) : [];
  const others = list.data.items.filter(({ id }) => !first.some((one) => one.id === id));
  const groups =
    first.length > 0
      ? [
          { title: texts.favorites, agents: first },
          { title: texts.others, agents: others },
        ]
      : [{ agents: others }];
  return (
    <>
      <Rows groups={groups} list={list} />
      {list.data.total === 0 && (
        <Nothing isSearch={false} view={undefined} folder={undefined} />
      )}
      <More list={list} />
    </>
  );
}

interface Group {
  /** Absent where all are of one kind. */
  title?: string;
  agents: readonly VisibleListedAgent[];
}

interface RowsProps {
  groups: readonly Group[];
  list: BulkBarProps["list"];
}

/** Cards with checkboxes. The chosen agents are moved or deleted together. */
function Rows({ groups, list }: RowsProps) {
  const texts = useAgentTexts();
  const { data: favorites = [] } = useQuery(favoritesQuery);
  const owned = groups.flatMap(({ agents }) => agents).filter(isOwned);
  const chosen = useChosen(owned.map(({ id }) => id));
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BulkBar list={list} chosen={chosen} agents={owned} />
      {groups.map(({ title, agents }) => (
        <Fragment key={title ?? ""}>
          {title && <h2 className="pt-1 text-lg">{title}</h2>}
          <ul
            aria-label={title ?? texts.title}
            className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3"
          >
            {agents.map((agent) => (
              <AgentRow
                key={agent.id}
                agent={agent}
                isFavorite={favorites.includes(agent.id)}
                chosen={owned.length > 0 ? chosen : undefined}
                isOwned={isOwned(agent)}
              />
            ))}
          </ul>
        </Fragment>
      ))}
    </div>
  );
}

function isOwned({ role }: VisibleListedAgent): boolean {
  return role === "owner";
}

interface NothingProps extends Omit<ListedProps, "q"> {
  isSearch: boolean;
}

function Nothing({ isSearch, view, folder }: NothingProps) {
  const texts = useAgentTexts();
  const mayCreate = usePermission("agent:create");
  if (isSearch)
    return (
      <Empty icon={Search} title={texts.nothing}>
        {texts.nothingHint}
      </Empty>
    );
  if (view === "shared" && folder === undefined)
    return (
      <Empty icon={Share2} picture="rows" title={texts.nothingShared}>
        {texts.nothingSharedHint}
      </Empty>
    );
  return (
    <Empty
      icon={Bot}
      picture="cards"
      title={folder === undefined ? texts.empty : texts.emptyFolder}
      action={mayCreate && <NewAgentLink folder={folder} />}
    >
      {texts.emptyHint}
    </Empty>
  );
}

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list. */
  agents: readonly VisibleListedAgent[];
}

/** Moves or deletes the chosen agents, and says which of them it could not. */
function BulkBar({ list, chosen, agents }: BulkBarProps) {
  const texts = useAgentTexts();
  const [isMoving, setMoving] = useState(false);
  const bulk = useBulk([["agents"], ["agent"]]);
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  const isBusy = bulk.state === "running";
  const some = agents.filter(({ id }) => chosen.has(id));
  const items = some.map(({ id, name }) => ({ id, name }));
  const many = { items, size: MAX_AGENTS_PER_CALL, onDone: chosen.none };
  const move = (folderId: string | null) =>
    bulk.start({ ...many, act: (ids) => moveAgents(ids, folderId), done: texts.moved });
  const remove = () =>
    bulk.start({
      ...many,
      act: deleteAgents,
      done: texts.deleted,
      undo: (deleted) =>
        bulk.start({
          items: deleted,
          act: oneByOne((id) => restoreAgents([id])),
          done: texts.restored,
        }),
    });
  return (
    <>
      <ChosenBar chosen={chosen} list={list}>
        {mayUpdate && (
          <Button look="quiet" busy={isBusy} onClick={() => setMoving(true)}>
            <FolderInput aria-hidden size={16} />
            {texts.move}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={remove}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={bulk} />
      {isMoving && (
        <MoveDialog
          agents={some}
          onMove={(folderId) => {
            move(folderId);
            setMoving(false);
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </>
  );
}
