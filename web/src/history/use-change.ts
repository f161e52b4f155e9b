import { useChange } from "../shell/use-change.ts";
import { notify } from "../ui/notices.tsx";
import {
  changeConversation,
  type ConversationChange,
  deleteConversation,
  restoreConversation,
} from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";

export const CONVERSATION_LISTS = ["conversations"];

/** Changes conversations, then reads the lists again. */
export function useListChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: () => void,
) {
  return useChange({ run, keys: [CONVERSATION_LISTS], onDone });
}

/** Changes title, pin or tags. */
export function useConversationChange(id: string, onDone?: () => void) {
  return useChange({
    run: (change: ConversationChange) => changeConversation(id, change),
    keys: [CONVERSATION_LISTS, ["conversation", id]],
    onDone,
  });
}

interface RemovalOptions {
  onDeleted?: (() => void | Promise<void>) | undefined;
  onRestored?: (() => void | Promise<void>) | undefined;
}

/** Puts a conversation into the trash, from where it can be taken back. */
export function useRemoval(
  id: string,
  { onDeleted, onRestored }: RemovalOptions,
): () => void {
  const texts = useHistoryTexts();
  const restore = useListChange(async () => {
    await restoreConversation(id);
    await onRestored?.();
  });
  const remove = useListChange(
    async () => {
      await deleteConversation(id);
      await onDeleted?.();
    },
    () => notify(texts.deleted, () => restore.mutate()),
  );
  return () => remove.mutate();
}
