import { ArchiveRestore } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useList } from "../shell/use-list.ts";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { ActionsBar } from "../shell/bulk/actions-bar.tsx";
import type { BulkItem } from "../shell/bulk/run-bulk.ts";
import { Button } from "../ui/button.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { useChosen } from "../ui/use-chosen.ts";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { notify } from "../ui/notices.tsx";
import {
  purgeConversation,
  restoreConversation,
  trashQuery,
  agentTrashQuery,
  restoreAgent,
  CONVERSATION_LISTS,
  useListChange,
} from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { Trash, TrashRow } from "./trash.tsx";
import { useChange } from "../shell/use-change.ts";
import { Glyph } from "../ui/glyph.tsx";
import { CANVAS_KEYS, canvasTrashQuery, restoreCanvas } from "./shared-queries.ts";

/** Deleted conversations, which can be restored until they are deleted permanently. */
export function TrashPage() {
  const texts = useHistoryTexts();
  const list = useList(trashQuery);
  const [purging, setPurging] = useState<Conversation>();
  const restore = useListChange(restoreConversation, () => notify(texts.restored));
  const nameOf = ({ title }: Conversation) => title || texts.untitled;
  const conversations = list.data?.items ?? [];
  const chosen = useChosen(conversations.map(({ id }) => id));
  return (
    <>
      <Trash
        hint={texts.trashHint}
        list={list}
        error={restore.error}
        bar={
          <TrashBar
            list={list}
            chosen={chosen}
            items={conversations.map((one) => ({ id: one.id, name: nameOf(one) }))}
            keys={[CONVERSATION_LISTS]}
            restore={restoreConversation}
            restored={texts.restoredMany}
            isPurged
          />
        }
        area={chosen.area}
      >
        {conversations.map((conversation) => (
          <TrashRow
            key={conversation.id}
            id={conversation.id}
            name={nameOf(conversation)}
            chosen={chosen}
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

interface TrashBarProps extends Pick<
  ComponentProps<typeof ActionsBar>,
  "list" | "chosen" | "keys"
> {
  /** All of the list. */
  items: readonly BulkItem[];
  restore: (id: string) => Promise<unknown>;
  restored: (count: number) => string;
  /** Whether they can be deleted for good, too. */
  isPurged?: boolean;
}

/** Restores what is chosen, or deletes it for good. */
function TrashBar({ items, restore, restored, isPurged, ...bar }: TrashBarProps) {
  const texts = useHistoryTexts();
  const some = items.filter(({ id }) => bar.chosen.has(id));
  return (
    <ActionsBar
      {...bar}
      className={BAR_IN_MARGIN}
      actions={[
        {
          key: "restore",
          label: texts.restore,
          icon: ArchiveRestore,
          items: some,
          act: restore,
          done: restored,
        },
      ]}
      deletion={{
        label: texts.purge,
        items: isPurged ? some : [],
        act: purgeConversation,
        done: texts.purgedMany,
        asks: { title: () => texts.purgeTitle, text: texts.purgeManyText(some.length) },
      }}
    />
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

const KEYS = [["agents"]];

/** Deleted agents, which can be restored until they are deleted permanently. */
export function AgentTrashPage() {
  const texts = useHistoryTexts();
  const list = useList(agentTrashQuery);
  const items = list.data?.items ?? [];
  const chosen = useChosen(items.map(({ id }) => id));
  const restore = useChange({
    run: restoreAgent,
    keys: KEYS,
    onDone: () => notify(texts.agentRestored),
  });
  return (
    <Trash
      hint={texts.agentTrashHint}
      list={list}
      error={restore.error}
      bar={
        <TrashBar
          list={list}
          chosen={chosen}
          items={items}
          keys={KEYS}
          restore={restoreAgent}
          restored={texts.agentsRestored}
        />
      }
      area={chosen.area}
    >
      {items.map(({ id, name, icon, deletedAt }) => (
        <TrashRow
          key={id}
          id={id}
          name={name}
          chosen={chosen}
          deletedAt={deletedAt}
          glyph={<Glyph value={icon} id={id} name={name} />}
          busy={restore.isPending && restore.variables === id}
          onRestore={() => restore.mutate(id)}
        />
      ))}
    </Trash>
  );
}

/** Deleted canvases, which can be restored until they are deleted permanently. */
export function CanvasTrashPage() {
  const texts = useHistoryTexts();
  const list = useList(canvasTrashQuery);
  const items = list.data?.items ?? [];
  const chosen = useChosen(items.map(({ id }) => id));
  const restore = useChange({
    run: restoreCanvas,
    keys: CANVAS_KEYS,
    onDone: () => notify(texts.canvasRestored),
  });
  return (
    <Trash
      hint={texts.canvasTrashHint}
      list={list}
      error={restore.error}
      bar={
        <TrashBar
          list={list}
          chosen={chosen}
          items={items.map(({ id, title }) => ({ id, name: title }))}
          keys={CANVAS_KEYS}
          restore={restoreCanvas}
          restored={texts.canvasesRestored}
        />
      }
      area={chosen.area}
    >
      {items.map(({ id, title, deletedAt }) => (
        <TrashRow
          key={id}
          id={id}
          name={title}
          chosen={chosen}
          deletedAt={deletedAt}
          busy={restore.isPending && restore.variables === id}
          onRestore={() => restore.mutate(id)}
        />
      ))}
    </Trash>
  );
}
