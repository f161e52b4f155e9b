import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { Loading } from "../ui/states.tsx";
import {
  pinnedQuery,
  type RecentConversation,
  recentQuery,
  usePermission,
} from "./queries.ts";
import { RAIL_ROW } from "./rail-row.ts";
import { useShellTexts } from "./texts.ts";

/** The conversations that are pinned, and those used last. */
export function RailConversations() {
  const texts = useShellTexts();
  const mayRead = usePermission("conversation:read");
  const { data, isLoading } = useQuery({ ...recentQuery, enabled: mayRead });
  const pinned = useQuery({ ...pinnedQuery, enabled: mayRead }).data?.items ?? [];
  const recent = data?.items.filter((conversation) => !conversation.pinned) ?? [];
  if (!mayRead) return <div className="flex-1" />;
  return (
    <div className="mt-3 grid min-h-0 flex-1 content-start gap-3 overflow-y-auto">
      {pinned.length > 0 && <Group title={texts.pinned} conversations={pinned} />}
      <Group title={texts.recent} conversations={recent}>
        {isLoading && <Loading lines={5} className="p-2" />}
        {data?.items.length === 0 && (
          <p className="px-2 text-xs text-muted">{texts.noConversations}</p>
        )}
      </Group>
    </div>
  );
}

interface GroupProps {
  title: string;
  conversations: readonly RecentConversation[];
  /** Stands in for conversations. */
  children?: ReactNode;
}

function Group({ title, conversations, children }: GroupProps) {
  const texts = useShellTexts();
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <h2 id={titleId} className="px-2 pb-1 font-sans text-xs font-medium text-muted">
        {title}
      </h2>
      {children}
      <ul>
        {conversations.map(({ id, title: name, running }) => (
          <li key={id}>
            <Link
              to="/c/$id"
              params={{ id }}
              className={RAIL_ROW}
              title={name || texts.newConversation}
            >
              <bdi className="min-w-0 flex-1 truncate">{name || texts.newConversation}</bdi>
              {running && (
                <span
                  role="img"
                  aria-label={texts.isAnswering}
                  title={texts.isAnswering}
                  className="size-2 shrink-0 rounded-full bg-accent"
                />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
