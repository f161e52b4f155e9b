import { setTimeout as sleep } from "node:timers/promises";
import type { Cache } from "../../../platform/cache/cache.ts";
import {
  ApiError,
  BadGateway,
  Forbidden,
  shuttingDown,
  Unavailable,
} from "../../../platform/http/errors.ts";
import type { RunRequest } from "../../agent/contract.ts";
import type { ReplyEvent } from "../../agent/contract-events.ts";
import { type EarlierRun, Transcript } from "../../agent/contract-transcript.ts";
import type { Attachments, StoredMessage } from "../conversations/attachments.ts";
import { toApiError } from "../../../platform/http/to-api-error.ts";
import { condenseHistory } from "./condense-history.ts";
import type { Register } from "../conversations/register-new.ts";
import type { ConversationEvent } from "./contract.ts";
import { listThreadFiles } from "./list-thread-files.ts";
import { nameConversation } from "./name-conversation.ts";
import type { ReplyPlan } from "./plan-reply.ts";
import { beginReplyLog, type ReplyLog } from "./publish-reply.ts";
import type { ReplyWriter } from "./record-reply.ts";
import { type Ending, toLastEvent, toOutcome, unexpectedFailure } from "./reply-outcome.ts";
import { type ReplyRun, type RunDeps, runReply } from "./run-reply.ts";

export interface GenerateDeps extends RunDeps {
  writer: ReplyWriter;
  cache: Cache;
  attachments: Pick<Attachments, "expand" | "visible">;
  register: Register;
}

/** A reply to generate. */
export interface ReplyJob {
  messageId: string;
  conversationId: string;
  userId: string;
  /** Whether the conversation began with this reply. */
  isNew?: boolean;
  /** Counts the runs of one reply, which continues after a decision. */
  run: number;
  /** The first events. */
  opening: readonly ConversationEvent[];
  plan: ReplyPlan;
  messages: StoredMessage[];
  /** The first message of a conversation that has no title yet. */
  titleFor?: string;
  decisions?: RunRequest["decisions"];
  earlier?: EarlierRun;
}

/**
 * The reason of the signal when somebody stops a reply. It is a Forbidden when the user lost the
 * right to it; otherwise the process ends.
 */
export const STOPPED = "stopped by the user";

const SAVE_INTERVAL_MS = 1_000;
/** The end of a reply waits this long for the database to come back. */
const MAX_OUTAGE_MS = 30_000;
const RETRY_INTERVAL_MS = 500;

/** What the steps of one generation share. */
interface Generation {
  deps: GenerateDeps;
  job: ReplyJob;
  transcript: Transcript;
  events: ReplyLog;
  title: string | undefined;
  signal: AbortSignal;
}

/**
 * Generates a reply, with or without readers: publishes its events, and stores its text every
 * second and its outcome at the end. `signal` stops it; the text so far stays. Never throws.
 */
export async function generateReply(
  deps: GenerateDeps,
  job: ReplyJob,
  signal: AbortSignal,
): Promise<void> {
  const transcript = new Transcript(job.earlier && { earlier: job.earlier });
  const events = beginReplyLog(deps.cache, job.messageId, job.run, deps.log);
  const generation: Generation = {
    deps,
    job,
    transcript,
    events,
    title: undefined,
    signal,
  };
  const opened = events.append(job.opening);
  const registered = job.isNew
    ? deps.register({ id: job.conversationId, ownerId: job.userId })
    : undefined;
  const named = nameConversation(deps, job, signal).then(
    (title) => (generation.title = title),
  );
  const saving = setInterval(() => savePartial(generation), SAVE_INTERVAL_MS);
  await opened;
  const ending = await run(generation);
  clearInterval(saving);
  await named;
  await registered; // whoever has the reply can share its conversation
  await conclude(generation, ending);
}

/** Runs the reply to its end and publishes its events. */
async function run(generation: Generation): Promise<Ending> {
  const { deps, job, transcript, events, signal } = generation;
  try {
    const reply = await toRun(deps, job, signal);
    for await (const batch of runReply(deps, reply, signal)) {
      for (const event of batch) transcript.add(event);
      await events.append(batch.filter(isPublished));
      const failure = batch.find((event) => event.type === "error");
      if (failure) throw toApiError(failure);
    }
    if (transcript.finishReason !== null) return "complete";
    throw new BadGateway(
      "run_cut",
      "The service that generates the reply stopped before its end. Ask again.",
    );
  } catch (error) {
    return toEnding(generation, error);
  }
}

/** Adds what the run needs to the job: the bytes of images, and the files for a flow. */
async function toRun(
  { db, attachments }: GenerateDeps,
  { plan, userId, conversationId, messageId, messages, decisions, earlier }: ReplyJob,
  signal: AbortSignal,
): Promise<ReplyRun> {
  const reply: ReplyRun = {
    plan,
    userId,
    conversationId,
    messageId,
    messages: await attachments.expand(userId, messages, signal),
  };
  if (plan.flow)
    reply.files = await attachments.visible(userId, await listThreadFiles(db, messageId));
  if (decisions) reply.decisions = decisions;
  if (earlier) reply.sources = earlier.sources;
  return reply;
}

/** The last event is published when the outcome is stored. */
function isPublished(
  event: ReplyEvent,
): event is Exclude<ReplyEvent, { type: "done" | "error" }> {
  return event.type !== "done" && event.type !== "error";
}

function toEnding({ deps, job, signal }: Generation, error: unknown): Ending {
  if (signal.aborted) return toInterruption(signal.reason);
  if (error instanceof ApiError) return { error };
  deps.log.error({ err: error, messageId: job.messageId }, "a reply failed");
  return { error: unexpectedFailure(job.messageId, error) };
}

function toInterruption(reason: unknown): Ending {
  if (reason === STOPPED) return "stopped";
  return { error: reason instanceof Forbidden ? reason : shuttingDown() };
}

function savePartial({ deps: { writer, log }, job, transcript, title }: Generation): void {
  const { content, reasoning } = transcript;
  writer
    .savePartial(job.messageId, { content, reasoning, title })
    .catch((error: unknown) =>
      log.warn({ err: error }, "a partial reply could not be saved"),
    );
}

/** Records the outcome, publishes the last event, and condenses the thread if it became long. */
async function conclude(generation: Generation, ending: Ending): Promise<void> {
  const { deps, job, transcript, events, title, signal } = generation;
  const { messageId } = job;
  try {
    if (title) await events.append([{ type: "title", title }]);
    const outcome = { ...toOutcome(transcript, ending), title };
    await waitOutOutage(() => deps.writer.saveOutcome(messageId, outcome));
    await events.append([toLastEvent(messageId, outcome, transcript)]);
    await condenseHistory(deps, job, outcome.history, signal).catch((error: unknown) =>
      deps.log.debug({ err: error, messageId }, "a long thread could not be summed up"),
    );
  } catch (error) {
    // its lease expires, and the reply ends as failed
    deps.log.error({ err: error, messageId }, "the outcome of a reply could not be stored");
    const failure = "The reply could not be stored. Ask again.";
    await events.append([{ type: "error", error: failure, code: "storage_failed" }]);
  }
}

/** Repeats the work until the database is back, for as long as an outage may take. */
async function waitOutOutage(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + MAX_OUTAGE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > until) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}
