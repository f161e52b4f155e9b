import { useState } from "react";
import { useList } from "../shell/use-list.ts";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { notify } from "../ui/notices.tsx";
import { purgeConversation, restoreConversation, trashQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { Trash, TrashRow } from "./trash.tsx";
import { CONVERSATION_LISTS, useListChange } from "./use-change.ts";

/** Deleted conversations, which can be restored until they are deleted permanently. */
export function TrashPage() {
  const texts = useHistoryTexts();
  const list = useList(trashQuery);
  const [purging, setPurging] = useState<Conversation>();
  const restore = useListChange(restoreConversation, () => notify(texts.restored));
  const nameOf = ({ title }: Conversation) => title || texts.untitled;
  return (
    <>
      <Trash hint={texts.trashHint} list={list} error={restore.error}>
        {list.data?.items.map((conversation) => (
          <TrashRow
            key={conversation.id}
            name={nameOf(conversation)}
            deletedAt={conversation.deletedAt}
            busy={restore.isPending && restore.variables === conversation.id}
            onRestore={() => restore.mutate(conversation.id)}
          >
            <Button
              look="danger"
              onClick={() => setPurging(conversation)}
              aria-label={`${texts.purge}: ${nameOf(conversation)}`}
            >
              {texts.purge}
            </Button>
          </TrashRow>
        ))}
      </Trash>
      {purging && <Purge conversation={purging} onClose={() => setPurging(undefined)} />}
    </>
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
  return (
    <ConfirmChange
      title={texts.purgeTitle}
      text={texts.purgeText(conversation.title || texts.untitled)}
      action={texts.purge}
      run={() => purgeConversation(conversation.id)}
      keys={[CONVERSATION_LISTS]}
      done={texts.purged}
      onClose={onClose}
    />
  );
}
