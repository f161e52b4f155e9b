import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { MessageSquare, Search as SearchIcon, Pin } from "lucide-react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { useList } from "../shell/use-list.ts";
import { groupByDay } from "../shell/group-by-day.ts";
import { useShellTexts } from "../shell/texts.ts";
import { Glyph } from "../ui/glyph.tsx";
import { More } from "../ui/more.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import {
  type Agent,
  agentsQuery,
  conversationsQuery,
  type Entry,
  type Search,
  type Tag,
  tagsQuery,
} from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { join } from "../ui/join.ts";
import { ChooseBox } from "../ui/choose-box.tsx";
import { type Chosen, useChosen } from "../ui/use-chosen.ts";
import { CHOSEN_ROW, IN_MARGIN } from "../ui/chosen-row.ts";
import { formatAgo } from "../texts/format.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ConversationMenu } from "./conversation-menu.tsx";
import { toPlainText } from "../markdown/plain-text.ts";
import { Snippet, splitMarks } from "./snippet.tsx";

/** The user's conversations, with search and tags. */
export function HistoryPage() {
  const texts = useHistoryTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: "/app/history" });
  const found = useList(conversationsQuery(search));
  const tags = useQuery(tagsQuery);
  // tags that come later would move what is there
  const list = awaitsFirst(tags) ? { ...found, isPending: true, data: undefined } : found;
  const isNarrowed = search.q !== undefined || search.tag !== undefined;
  return (
    <Frame>
      <SearchField
        label={texts.search}
        value={search.q}
        maxLength={500}
        onSearch={(q) =>
          void navigate({ to: "/history", search: { ...search, q }, replace: true })
        }
      />
      {!list.isPending && <TagFilter search={search} tags={tags.data?.items ?? []} />}
      {list.isPending && <Loading shape="rows" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <Rows list={found} conversations={list.data?.items ?? []} isByDay={!isNarrowed} />
      {list.data?.total === 0 && (isNarrowed ? <NothingFound /> : <NothingYet />)}
      <More list={list} />
    </Frame>
  );
}

interface RowsProps {
  list: ComponentProps<typeof BulkBar>["list"];
  conversations: readonly Entry[];
  /** The best match may be of any day. */
  isByDay: boolean;
}

/** Rows with checkboxes. The chosen conversations are pinned, tagged or deleted together. */
function Rows({ list, conversations, isByDay }: RowsProps) {
  const { days } = useShellTexts();
  const chosen = useChosen(conversations.map(({ id }) => id));
  const agents = useQuery(
    agentsQuery(conversations.flatMap(({ agentId }) => agentId ?? [])),
  );
  const groups = isByDay
    ? groupByDay(conversations).map(({ day, items }) => ({ title: days[day], items }))
    : [{ title: undefined, items: conversations }];
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <BulkBar list={list} chosen={chosen} conversations={conversations} />
      {groups.map(({ title, items }) => (
        <section key={title} aria-label={title} className="grid grid-cols-[minmax(0,1fr)]">
          {title !== undefined && (
            <h2 className="pt-3 pb-1 font-sans text-xs font-medium tracking-normal text-muted">
              {title}
            </h2>
          )}
          <ul className="divide-y divide-hairline">
            {items.map((conversation) => (
              <Row
                key={conversation.id}
                conversation={conversation}
                agent={agents.data?.get(conversation.agentId ?? "")}
                chosen={chosen}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function NothingYet() {
  const texts = useHistoryTexts();
  return (
    <Empty
      icon={MessageSquare}
      picture="rows"
      title={texts.empty}
      action={
        <Link to="/" className="text-accent underline">
          {texts.ask}
        </Link>
      }
    >
      {texts.emptyHint}
    </Empty>
  );
}

function NothingFound() {
  const texts = useHistoryTexts();
  return (
    <Empty icon={SearchIcon} title={texts.nothing}>
      {texts.nothingHint}
    </Empty>
  );
}

/** The user's tags; the chosen one filters the list. */
function TagFilter({ search, tags }: { search: Search; tags: readonly Tag[] }) {
  const texts = useHistoryTexts();
  if (tags.length === 0) return null;
  return (
    <ul aria-label={texts.tags} className="flex max-h-24 flex-wrap gap-1 overflow-y-auto">
      {tags.map(({ name, conversations }) => {
        const isChosen = name === search.tag;
        return (
          <li key={name}>
            <Link
              to="/history"
              search={{ ...search, tag: isChosen ? undefined : name }}
              aria-pressed={isChosen}
              role="button"
              className={join(
                "inline-flex min-h-6 items-center gap-1 rounded-full border px-2 py-0.5 text-xs",
                "pointer-coarse:min-h-11",
                isChosen
                  ? "border-accent bg-accent text-on-accent"
                  : "border-control hover:bg-hover",
              )}
            >
              <bdi>{name}</bdi>
              <span className={isChosen ? "" : "text-muted"}>{conversations}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The words that were found in a message, as they stand there: the thread opens at them. */
function wordsOf(snippet = ""): string | undefined {
  return splitMarks(snippet).find(({ isMarked }) => isMarked)?.text;
}

interface RowProps {
  conversation: Entry;
  agent: Agent | undefined;
  chosen: Chosen;
}

/** A conversation in the list: its title, the matching text, its tags and its actions. */
function Row({ conversation, agent, chosen }: RowProps) {
  const texts = useHistoryTexts();
  const navigate = useNavigate();
  const { id, pinned, tags, updatedAt, snippet, words } = conversation;
  const title = conversation.title || texts.untitled;
  const place = { params: { id }, search: { find: wordsOf(snippet) } };
  const open = () => void navigate({ to: "/c/$id", ...place });
  return (
    <li
      className={join(
        "group relative isolate flex items-start gap-3 py-1.5",
        chosen.has(id) && CHOSEN_ROW,
      )}
    >
      <span className={IN_MARGIN}>
        <ChooseBox chosen={chosen} id={id} name={title} />
      </span>
      {agent ? (
        <Glyph value={agent.icon} id={agent.id} name={agent.name} />
      ) : (
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-[0.55rem] bg-sunken text-muted"
        >
          <MessageSquare size={16} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <Link
          to="/c/$id"
          {...place}
          className="flex min-h-6 items-center gap-2 font-medium hover:underline"
        >
          {pinned && (
            <Pin aria-label={texts.pinned} size={14} className="shrink-0 text-accent" />
          )}
          <bdi className="truncate">{title}</bdi>
        </Link>
        {snippet && <Snippet html={snippet} />}
        <p className="flex gap-x-2 text-sm text-muted">
          <span className="shrink-0">
            {formatAgo(updatedAt)}
            {(words || tags.length > 0) && " ·"}
          </span>
          {tags.length > 0 && (
            <bdi className="max-w-1/3 shrink-0 truncate" title={tags.join(", ")}>
              {tags.map((tag) => `#${tag}`).join(" ")}
            </bdi>
          )}
          <LastWords markdown={words} />
          {/* the name comes later: it must move nothing */}
          {agent && <bdi className="max-w-1/3 shrink-0 truncate">{agent.name}</bdi>}
        </p>
      </div>
      <ConversationMenu
        conversation={conversation}
        first={[{ key: "open", label: texts.open, onChoose: open }]}
      />
    </li>
  );
}

/** How its newest message begins, as far as the line has room. */
function LastWords({ markdown = "" }: { markdown: string | undefined }) {
  const words = toPlainText(markdown).replaceAll(/\s+/g, " ");
  return (
    <span dir="auto" className="min-w-0 flex-1 truncate">
      {words}
    </span>
  );
}
