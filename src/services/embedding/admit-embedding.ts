import type { Fetch } from "../../platform/http/call.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { admitTask } from "../core/contract-admission.ts";
import type { EmbeddingModel } from "./models/embedding-model.ts";

/**
 * Checks that a model may embed for a user now: what runs in this process costs nothing, and nobody
 * has no budget. @throws TooManyRequests `budget_exceeded`.
 */
export type AdmitEmbedding = (
  model: Pick<EmbeddingModel, "server" | "isPriced">,
  userId: string | undefined,
  signal: AbortSignal,
) => Promise<void>;

export function admitEmbeddings(core: Fetch | undefined): AdmitEmbedding {
  return async ({ server, isPriced = false }, userId, signal) => {
    if (server === undefined || userId === undefined) return;
    await admitTask(core, { userId, isFree: !isPriced }, signal);
  };
}

/** Whom a request counts for: the user who asks, or the one that a service names. */
export function payerOf(caller: Caller, named?: string): string | undefined {
  return caller.kind === "user" ? caller.userId : named;
}
