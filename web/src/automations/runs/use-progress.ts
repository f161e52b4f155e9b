import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { applyEvent } from "./apply-events.ts";
import { followRun, type Run, runQuery } from "./queries.ts";

/** Shows what the agents of a run do; at its end the run is read once more. */
export function useProgress(id: string, isGoingOn: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isGoingOn) return undefined;
    const controller = new AbortController();
    const { queryKey } = runQuery(id);
    const follow = async () => {
      for await (const batch of followRun(id, controller.signal)) {
        queries.setQueryData(queryKey, (run: Run | undefined) =>
          batch.reduce((before, { event }) => before && applyEvent(before, event), run),
        );
      }
      await queries.invalidateQueries({ queryKey });
    };
    // if the stream is cut, the live changes of the page continue
    follow().catch(() => {});
    return () => controller.abort();
  }, [queries, id, isGoingOn]);
}
