import { useChange } from "../shell/use-change.ts";
import { changeConversation, type ConversationChange } from "./queries.ts";

const KEYS = [["conversations"]];

/** Changes conversations, then reads the lists again. */
export function useListChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: () => void,
) {
  return useChange({ run, keys: KEYS, onDone });
}

/** Changes title, pin or tags. */
export function useConversationChange(id: string, onDone?: () => void) {
  return useListChange(
    (change: ConversationChange) => changeConversation(id, change),
    onDone,
  );
}
