import { Link, useNavigate } from "@tanstack/react-router";
import { Pin } from "lucide-react";
import { formatAgo } from "../texts/format.ts";
import { ConversationMenu } from "./conversation-menu.tsx";
import type { Entry } from "./queries.ts";
import { Snippet } from "./snippet.tsx";
import { useHistoryTexts } from "./texts.ts";

/** A conversation in the list: its title, the matching text, its tags and its actions. */
export function Row({ conversation }: { conversation: Entry }) {
  const texts = useHistoryTexts();
  const navigate = useNavigate();
  const { id, pinned, tags, updatedAt, snippet } = conversation;
  const title = conversation.title || texts.untitled;
  const open = () => void navigate({ to: "/c/$id", params: { id } });
  return (
    <li className="flex items-start gap-2 py-2">
      <div className="min-w-0 flex-1">
        <Link
          to="/c/$id"
          params={{ id }}
          className="flex min-h-6 items-center gap-2 font-medium hover:underline"
        >
          {pinned && (
            <Pin aria-label={texts.pinned} size={14} className="shrink-0 text-accent" />
          )}
          <bdi className="truncate">{title}</bdi>
        </Link>
        {snippet && <Snippet html={snippet} />}
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          <span>{formatAgo(updatedAt)}</span>
          {tags.map((tag) => (
            <bdi key={tag}>#{tag}</bdi>
          ))}
        </p>
      </div>
      <ConversationMenu
        conversation={conversation}
        label={texts.actions(title)}
        first={[{ key: "open", label: texts.open, onChoose: open }]}
      />
    </li>
  );
}
