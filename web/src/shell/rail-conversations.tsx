import { useQuery } from "@tanstack/react-query";
import { Link, useRouteContext } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { Loading } from "../ui/states.tsx";
import { groupByDay } from "./group-by-day.ts";
import {
  pinnedQuery,
  type RecentConversation,
  recentQuery,
  usePermission,
} from "./queries.ts";
import { RAIL_ROW } from "./rail-look.ts";
import { useWhenIdle } from "./use-when-idle.ts";
import { useShellTexts } from "./texts.ts";

/** The conversations that are pinned, and those used last by when that was. */
export function RailConversations() {
  const texts = useShellTexts();
  const mayRead = usePermission("conversation:read");
  const { data, isLoading } = useQuery({ ...recentQuery, enabled: mayRead });
  const pinned = useQuery({ ...pinnedQuery, enabled: mayRead }).data?.items ?? [];
  const recent = data?.items.filter((conversation) => !conversation.pinned) ?? [];
  if (!mayRead) return <div className="flex-1" />;
  return (
    <div
      className={
        "fade-ends grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 " +
        "overflow-x-hidden overflow-y-auto px-2.5 pt-4 pb-8"
      }
    >
      {pinned.length > 0 && <Group title={texts.pinned} conversations={pinned} />}
      {isLoading && <Loading lines={5} className="p-2" />}
      {data?.items.length === 0 && (
        <p className="px-2.5 text-sm text-muted">{texts.noConversations}</p>
      )}
      {groupByDay(recent).map(({ day, items }) => (
        <Group key={day} title={texts.days[day]} conversations={items} />
      ))}
    </div>
  );
}

interface GroupProps {
  title: string;
  conversations: readonly RecentConversation[];
}

function Group({ title, conversations }: GroupProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <h2
        id={titleId}
        className="px-2.5 pb-1.5 font-sans text-xs font-medium tracking-normal text-muted"
      >
        {title}
      </h2>
      <ul>
        {conversations.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} />
        ))}
      </ul>
    </section>
  );
}

function Row({ conversation }: { conversation: RecentConversation }) {
  const texts = useShellTexts();
  const [isIdle, setIdle] = useState(false);
  useWhenIdle(() => setIdle(true));
  const { RailRowMenu } = useRouteContext({ from: "__root__" });
  const { id, running } = conversation;
  const name = conversation.title || texts.newConversation;
  return (
    <li className="group/item relative">
      <Link to="/c/$id" params={{ id }} className={`${RAIL_ROW} min-h-8`} title={name}>
        <bdi className="fade-end min-w-0 flex-1">{name}</bdi>
        {running && (
          <span
            role="img"
            aria-label={texts.isAnswering}
            title={texts.isAnswering}
            className="shrink-0 text-accent"
          >
            <LoaderCircle aria-hidden size={14} className="animate-spin" />
          </span>
        )}
      </Link>
      <Suspense fallback={null}>
        {isIdle && <RailRowMenu conversation={conversation} />}
      </Suspense>
    </li>
  );
}
