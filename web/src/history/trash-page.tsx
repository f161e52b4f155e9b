import { useInfiniteQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { formatAgo } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { purgeConversation, restoreConversation, trashQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useListChange } from "./use-change.ts";

/** Deleted conversations, which can be restored until they are removed for good. */
export function TrashPage() {
  const texts = useHistoryTexts();
  const list = useInfiniteQuery(trashQuery);
  const [purging, setPurging] = useState<Conversation>();
  const restore = useListChange(restoreConversation, () => notify(texts.restored));
  return (
    <Frame>
      <p className="text-muted">{texts.trashHint}</p>
      {list.isPending && <Loading className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {restore.error && <Problem error={restore.error} />}
      {list.data?.total === 0 && <Empty icon={Trash2} title={texts.trashEmpty} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((conversation) => (
          <TrashRow
            key={conversation.id}
            conversation={conversation}
            busy={restore.isPending && restore.variables === conversation.id}
            onRestore={() => restore.mutate(conversation.id)}
            onPurge={() => setPurging(conversation)}
          />
        ))}
      </ul>
      <More list={list} />
      {purging && <Purge conversation={purging} onClose={() => setPurging(undefined)} />}
    </Frame>
  );
}

interface TrashRowProps {
  conversation: Conversation;
  busy: boolean;
  onRestore: () => void;
  onPurge: () => void;
}

function TrashRow({ conversation, busy, onRestore, onPurge }: TrashRowProps) {
  const texts = useHistoryTexts();
  const title = conversation.title || texts.untitled;
  const { deletedAt } = conversation;
  return (
    <li className="flex flex-wrap items-center gap-2 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">
          <bdi>{title}</bdi>
        </p>
        {deletedAt && (
          <p className="text-xs text-muted">{texts.deletedAt(formatAgo(deletedAt))}</p>
        )}
      </div>
      <Button busy={busy} onClick={onRestore} aria-label={`${texts.restore}: ${title}`}>
        {texts.restore}
      </Button>
      <Button look="danger" onClick={onPurge} aria-label={`${texts.purge}: ${title}`}>
        {texts.purge}
      </Button>
    </li>
  );
}

function Purge({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const texts = useHistoryTexts();
  const purge = useListChange(
    () => purgeConversation(conversation.id),
    () => {
      onClose();
      notify(texts.purged);
    },
  );
  return (
    <Confirm
      title={texts.purgeTitle}
      text={texts.purgeText(conversation.title || texts.untitled)}
      action={texts.purge}
      busy={purge.isPending}
      error={purge.error}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    />
  );
}
