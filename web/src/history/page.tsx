import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { MessageSquare, Search as SearchIcon } from "lucide-react";
import { useList } from "../shell/use-list.ts";
import { More } from "../ui/more.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { conversationsQuery } from "./queries.ts";
import { Row } from "./row.tsx";
import { TagFilter } from "./tag-filter.tsx";
import { useHistoryTexts } from "./texts.ts";

/** The user's conversations, with search and tags. */
export function HistoryPage() {
  const texts = useHistoryTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: "/app/history" });
  const list = useList(conversationsQuery(search));
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
