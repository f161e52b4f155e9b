import type { IncomingMessage } from "node:http";
import { Unavailable } from "./errors.ts";

/** Limits the requests that a listener processes at once, and thus the time that clients wait. */
export interface LoadLimit {
  /** @returns whether a request must be refused now. */
  refuses(request: Request): boolean;
  /**
   * Counts a request from the end of its body, so that slow bodies do not block others.
   * @returns a function to call when the answer begins.
   */
  enter(incoming: IncomingMessage): () => void;
}

/** Probes are always answered: an orchestrator stops a process that does not answer them. */
const PROBES = new Set(["/healthz", "/readyz"]);
const RETRY_AFTER_MS = 1_000;

/** @param max Infinity for no limit. */
export function createLoadLimit(max: number): LoadLimit {
  let pending = 0;
  return {
    refuses: ({ url }) => pending >= max && !PROBES.has(new URL(url).pathname),
    enter(incoming) {
      let hasLeft = false;
      let isCounted = false;
      const count = () => {
        if (hasLeft) return;
        isCounted = true;
        pending += 1;
      };
      if (incoming.complete || hasNoBody(incoming)) count();
      else incoming.once("end", count);
      return () => {
        hasLeft = true;
        if (isCounted) pending -= 1;
      };
    },
  };
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  return (
    headers["content-length"] === undefined && headers["transfer-encoding"] === undefined
  );
}

export function serverBusy(): Unavailable {
  return new Unavailable(
    "server_busy",
    "The server has as many requests as it can answer in time. Try again in a moment.",
    RETRY_AFTER_MS,
  );
}
