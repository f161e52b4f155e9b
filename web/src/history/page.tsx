import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { MessageSquare, Search as SearchIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { More } from "../ui/more.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Frame } from "./frame.tsx";
import { conversationsQuery, type Search } from "./queries.ts";
import { Row } from "./row.tsx";
import { TagFilter } from "./tag-filter.tsx";
import { useHistoryTexts } from "./texts.ts";

const TYPING_PAUSE_MS = 250;

/** One's own conversations, searched and narrowed by tags. */
export function HistoryPage() {
  const texts = useHistoryTexts();
  const search = useSearch({ from: "/app/history" });
  const list = useInfiniteQuery(conversationsQuery(search));
  const isNarrowed = search.q !== undefined || search.tag !== undefined;
  return (
    <Frame>
      <SearchField search={search} />
      <TagFilter search={search} />
      {list.isPending && <Loading lines={8} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </ul>
      {list.data?.total === 0 && (isNarrowed ? <NothingFound /> : <NothingYet />)}
      <More list={list} />
    </Frame>
  );
}

/** The words are part of the address, so that a search can be gone back to. */
function SearchField({ search }: { search: Search }) {
  const texts = useHistoryTexts();
  const navigate = useNavigate();
  const [words, setWords] = useState(search.q ?? "");
  useEffect(() => {
    const q = words.trim() || undefined;
    if (q === search.q) return undefined;
    const timer = setTimeout(
      () => void navigate({ to: "/history", search: { ...search, q }, replace: true }),
      TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [words, search, navigate]);
  return (
    <TextField
      label={texts.search}
      type="search"
      value={words}
      maxLength={500}
      onChange={(event) => setWords(event.target.value)}
    />
  );
}

function NothingYet() {
  const texts = useHistoryTexts();
  return (
    <Empty
      icon={MessageSquare}
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
