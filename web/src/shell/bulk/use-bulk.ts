import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { notify } from "../../ui/notices.tsx";
import { type BulkItem, type BulkOutcome, runBulk } from "./run-bulk.ts";
import { useBulkTexts } from "./texts.ts";

interface BulkJob {
  items: readonly BulkItem[];
  /** Changes these. @returns those that it could not change, by their ids. */
  act: (ids: string[]) => Promise<ReadonlyMap<string, Failure> | undefined>;
  /** The most that `act` takes at once. */
  size?: number;
  /** What was done, said of so many. */
  done: (count: number) => string;
  /** Takes back what was done, where that is possible. */
  undo?: ((items: readonly BulkItem[]) => void) | undefined;
  /** Once none was refused or left. */
  onDone?: (() => void) | undefined;
}

type BulkState =
  | { state: "idle" }
  | { state: "running"; handled: number; total: number }
  | { state: "ended"; outcome: BulkOutcome; job: BulkJob };

export type Bulk = BulkState & {
  start: (job: BulkJob) => void;
  /** Begins nothing more. */
  stop: () => void;
  /** The same for what was refused or left. */
  again: () => void;
  /** Forgets what was refused. */
  close: () => void;
};

const IDLE = { state: "idle" } as const;

/**
 * Changes many things of a list at once. It goes on when its page is left, and then a notice says
 * what became of it; `BulkReport` shows how far it is and what was refused.
 * @param keys beginnings of the keys of what is read again afterwards.
 */
export function useBulk(keys: readonly QueryKey[]): Bulk {
  const texts = useBulkTexts();
  const queries = useQueryClient();
  const [state, setState] = useState<BulkState>(IDLE);
  const stopper = useRef<AbortController>(undefined);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const run = async (job: BulkJob) => {
    const { items, act, size = 1, done, undo, onDone } = job;
    const total = items.length;
    const stop = new AbortController();
    stopper.current = stop;
    const onProgress = (handled: number) => setState({ state: "running", handled, total });
    onProgress(0);
    const outcome = await runBulk(items, { act, size, signal: stop.signal, onProgress });
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    const isWhole = outcome.done.length === total;
    setState(isWhole ? IDLE : { state: "ended", outcome, job });
    const count = outcome.done.length;
    if (count > 0) notify(done(count), undo && (() => undo(outcome.done)));
    if (isWhole) onDone?.();
    else if (!isShown.current) notify(texts.notAll(total - count, total));
  };
  const start = (job: BulkJob) => {
    if (state.state !== "running" && job.items.length > 0) void run(job);
  };
  return {
    ...state,
    start,
    stop: () => stopper.current?.abort(),
    again() {
      if (state.state !== "ended") return;
      const { outcome, job } = state;
      const rest = [...outcome.refused.map(({ item }) => item), ...outcome.left];
      start({ ...job, items: rest });
    },
    close: () => setState(IDLE),
  };
}

/** For a change of one thing by one request. */
export function oneByOne(run: (id: string) => Promise<unknown>): BulkJob["act"] {
  return async ([id]) => {
    if (id !== undefined) await run(id);
    return undefined;
  };
}
