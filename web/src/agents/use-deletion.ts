import { toFailure } from "../api/failure.ts";
import { useChange } from "../shell/use-change.ts";
import { errorText } from "../texts/errors.ts";
import { currentLanguage } from "../texts/language.ts";
import { notify } from "../ui/notices.tsx";
import { deleteAgents, restoreAgents } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";

const KEYS = [["agents"]];

/** Moves agents to the trash, and offers to undo it. */
export function useDeletion(onDone?: () => void) {
  const texts = useAgentTexts();
  const say = (error: unknown) => notify(errorText(toFailure(error), currentLanguage()));
  const restore = useAgentChange(restoreAgents);
  const remove = useChange({
    run: deleteAgents,
    keys: KEYS,
    onDone({ results }) {
      const gone = results.filter(({ success }) => success).map(({ id }) => id);
      const failed = results.find(({ success }) => !success);
      if (failed) notify(texts.notAll(results.length - gone.length, failed.error ?? ""));
      if (gone.length === 0) return;
      notify(texts.deleted(gone.length), () => restore.mutate(gone, { onError: say }));
      onDone?.();
    },
  });
  return {
    ...remove,
    mutate: (ids: readonly string[]) => remove.mutate(ids, { onError: say }),
  };
}
