import { useChange } from "../shell/use-change.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { deleteAgents, restoreAgents } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";

const KEYS = [["agents"]];

/** Moves an agent to the trash, and offers to undo it. */
export function useDeletion(onDone?: () => void) {
  const texts = useAgentTexts();
  const restore = useAgentChange(restoreAgents);
  const remove = useChange({
    async run(id: string) {
      const refused = (await deleteAgents([id])).get(id);
      if (refused) throw refused;
      return id;
    },
    keys: KEYS,
    onDone(id) {
      notify(texts.deleted(1), () => restore.mutate([id], { onError: notifyFailure }));
      onDone?.();
    },
  });
  return (id: string) => remove.mutate(id, { onError: notifyFailure });
}
