import { Link } from "@tanstack/react-router";
import { Pin } from "lucide-react";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { formatAgo } from "../texts/format.ts";
import type { Entry } from "./queries.ts";
import { ConversationName } from "./conversation-name.tsx";
import { RowMenu } from "./row-menu.tsx";
import { Snippet } from "./snippet.tsx";
import { TagsDialog } from "./tags-dialog.tsx";
import { useHistoryTexts } from "./texts.ts";

export type RowDialog = "rename" | "tags" | "share";

/** A conversation in the list: its title, the matching text, its tags and its actions. */
export function Row({ conversation }: { conversation: Entry }) {
  const texts = useHistoryTexts();
  const [dialog, setDialog] = useState<RowDialog>();
  const close = () => setDialog(undefined);
  const { id, pinned, tags, updatedAt, snippet } = conversation;
  const title = conversation.title || texts.untitled;
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
      <RowMenu conversation={conversation} title={title} onDialog={setDialog} />
      {dialog === "rename" && (
        <ConversationName conversation={conversation} onClose={close} />
      )}
      {dialog === "tags" && <TagsDialog conversation={conversation} onClose={close} />}
      {dialog === "share" && (
        <SharingDialog
          resource={{ resourceType: "conversation", resourceId: id }}
          name={title}
          path={`/c/${id}`}
          onClose={close}
        />
      )}
    </li>
  );
}
