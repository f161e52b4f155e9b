import { useChange } from "../shell/use-change.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { notifyUnchanged } from "./notify-unchanged.ts";
import { deleteAgents, restoreAgents } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";

const KEYS = [["agents"]];

/** Moves agents to the trash, and offers to undo it. */
export function useDeletion(onDone?: () => void) {
  const texts = useAgentTexts();
  const restore = useAgentChange(restoreAgents);
  const remove = useChange({
    run: deleteAgents,
    keys: KEYS,
    onDone({ results }) {
      const gone = results.filter(({ success }) => success).map(({ id }) => id);
      notifyUnchanged(results, texts);
      if (gone.length === 0) return;
      notify(texts.deleted(gone.length), () =>
        restore.mutate(gone, { onError: notifyFailure }),
      );
      onDone?.();
    },
  });
  return {
    ...remove,
    mutate: (ids: readonly string[]) => remove.mutate(ids, { onError: notifyFailure }),
  };
}
