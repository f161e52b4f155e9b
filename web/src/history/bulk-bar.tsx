import { Pin, PinOff, Tags, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { textOf } from "../ui/form-dialog.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import {
  changeConversation,
  type ConversationChange,
  deleteConversation,
  type Entry,
  restoreConversation,
  CONVERSATION_LISTS,
} from "./queries.ts";
import { MAX_TAGS, readTags, TagsForm } from "./tags-form.tsx";
import { useHistoryTexts } from "./texts.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list. */
  conversations: readonly Entry[];
}

/** Pins, tags or deletes the chosen conversations, and says which of them it could not. */
export function BulkBar({ list, chosen, conversations }: BulkBarProps) {
  const texts = useHistoryTexts();
  const [isTagging, setTagging] = useState(false);
  const mayUpdate = usePermission("conversation:update");
  const mayDelete = usePermission("conversation:delete");
  const some = conversations.filter(({ id }) => chosen.has(id));
  const arePinned = some.every(({ pinned }) => pinned);
  const runs = useRuns(chosen.none);
  const isBusy = runs.bulk.state === "running";
  return (
    <>
      <ChosenBar chosen={chosen} list={list} className={BAR_IN_MARGIN}>
        {mayUpdate && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.pin(some, !arePinned)}>
            {arePinned ? <PinOff aria-hidden size={16} /> : <Pin aria-hidden size={16} />}
            {arePinned ? texts.unpin : texts.pin}
          </Button>
        )}
        {mayUpdate && (
          <Button look="quiet" busy={isBusy} onClick={() => setTagging(true)}>
            <Tags aria-hidden size={16} />
            {texts.addTags}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={() => runs.remove(some)}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={runs.bulk} />
      {isTagging && (
        <TagsForm
          title={texts.addTagsTitle(some.length)}
          action={texts.addTags}
          tags={[]}
          busy={false}
          onSubmit={(fields) => {
            runs.tag(some, readTags(textOf(fields, "tags")));
            setTagging(false);
          }}
          onClose={() => setTagging(false)}
        />
      )}
    </>
  );
}

type Entries = readonly Entry[];

function useRuns(onDone: () => void) {
  const texts = useHistoryTexts();
  const bulk = useBulk([CONVERSATION_LISTS, ["conversation"]]);
  const itemsOf = (some: Entries) =>
    some.map(({ id, title }) => ({ id, name: title || texts.untitled }));
  /** Changes those that differ, and can change them back. */
  const change = (
    some: Entries,
    pick: (entry: Pick<Entry, "pinned" | "tags">) => ConversationChange,
    undone: (entry: Entry) => ConversationChange,
  ) => {
    const before = new Map(some.map((entry) => [entry.id, entry]));
    const changed = some.filter(
      (entry) => JSON.stringify(pick(entry)) !== JSON.stringify(undone(entry)),
    );
    if (changed.length === 0) return onDone();
    const act = (of: (entry: Entry) => ConversationChange) =>
      oneByOne(async (id) => {
        const entry = before.get(id);
        if (entry) await changeConversation(id, of(entry));
      });
    bulk.start({
      items: itemsOf(changed),
      act: act(pick),
      done: texts.changedMany,
      undo: (items) => bulk.start({ items, act: act(undone), done: texts.changedBack }),
      onDone,
    });
  };
  return {
    bulk,
    pin: (some: Entries, pinned: boolean) =>
      change(
        some,
        () => ({ pinned }),
        (entry) => ({ pinned: entry.pinned }),
      ),
    tag: (some: Entries, more: readonly string[]) =>
      change(
        some,
        ({ tags }) => ({ tags: [...new Set([...tags, ...more])].slice(0, MAX_TAGS) }),
        ({ tags }) => ({ tags }),
      ),
    remove(some: Entries) {
      bulk.start({
        items: itemsOf(some),
        act: oneByOne(deleteConversation),
        done: texts.deletedMany,
        undo: (items) =>
          bulk.start({
            items,
            act: oneByOne(restoreConversation),
            done: texts.restoredMany,
          }),
        onDone,
      });
    },
  };
}
