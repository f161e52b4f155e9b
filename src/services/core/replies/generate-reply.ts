import { setTimeout as sleep } from "node:timers/promises";
import { deliver } from "../../../platform/batches.ts";
import { publishChange } from "../../../platform/changes/publish-changes.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import {
  ApiError,
  BadGateway,
  Forbidden,
  shuttingDown,
  Unavailable,
} from "../../../platform/http/errors.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { Transcript } from "../../agent-loop/contract-transcript.ts";
import type { Attachments } from "../conversations/attachments.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import { condenseHistory } from "./condense-history.ts";
import { listViewContexts, withViewContexts } from "../conversations/view-contexts.ts";
import type { Register } from "../conversations/register-new.ts";
import { nameConversation, type Naming } from "./name-conversation.ts";
import { beginReplyLog, type ReplyLog } from "./publish-reply.ts";
import type { PartialReply, ReplyWriter } from "./record-reply.ts";
import type { PartialSaver } from "./save-partials.ts";
import { type Ending, toLastEvent, toOutcome, unexpectedFailure } from "./reply-outcome.ts";
import { renameUntouched } from "./store.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { ReplyToMake, PreparedReply } from "./reply-to-make.ts";
import { firstLabels, type ReplyDeps, runReply } from "./run-reply.ts";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { endsWithin } from "../../../platform/within.ts";

export interface GenerateDeps extends ReplyDeps {
  writer: ReplyWriter;
  saver: PartialSaver;
  cache: Cache;
  attachments: Pick<Attachments, "expand" | "visible">;
  register: Register;
}

/**
 * The reason of the signal when somebody stops a reply. It is a Forbidden when the user lost the
 * right to it; otherwise the process ends.
 */
export const STOPPED = "stopped by the user";

/** The end of a reply waits this long for the database to come back. */
const MAX_OUTAGE_MS = 30_000;
const RETRY_INTERVAL_MS = 500;
/** How long the end of a reply waits for its title: less than a reader notices. */
const TITLE_GRACE_MS = 50;

/** What the steps of one generation share. */
interface Generation {
  deps: GenerateDeps;
  toMake: ReplyToMake;
  transcript: Transcript;
  events: ReplyLog;
  naming: Naming | undefined;
  /** The model's, once it is there. */
  title: string | undefined;
  /** Of what the reply reads from its beginning. */
  labels: Promise<CarriedLabel[]>;
  signal: AbortSignal;
}

/**
 * Generates a reply, with or without readers: publishes its events, and stores its text now and
 * then and its outcome at the end. `signal` stops it; the text so far stays. Never throws.
 */
export async function generateReply(
  deps: GenerateDeps,
  toMake: ReplyToMake,
  signal: AbortSignal,
): Promise<void> {
  const transcript = new Transcript(toMake.earlier && { earlier: toMake.earlier });
  const events = beginReplyLog(deps.cache, toMake.messageId, toMake.segment, deps.log);
  const generation: Generation = {
    deps,
    toMake,
    transcript,
    events,
    naming: undefined,
    title: undefined,
    labels: firstLabels(deps, { ...toMake, sources: toMake.earlier?.sources ?? [] }),
    signal,
  };
  // the reply awaits them, and fails with their failure
  generation.labels.catch(() => {});
  const opened = events.append(toMake.opening);
  const registered = toMake.isNew
    ? deps.register({ id: toMake.conversationId, ownerId: toMake.userId })
    : undefined;
  generation.naming = nameConversation(deps, toMake, generation.labels, signal);
  void generation.naming?.made.then((title) => (generation.title = title));
  const stopSaving = deps.saver.begin(toMake.messageId, () => partialOf(generation));
  await opened;
  const ending = await run(generation);
  stopSaving();
  await titleSoon(generation);
  await registered; // whoever has the reply can share its conversation
  await conclude(generation, ending);
}

/** Runs the reply to its end and publishes its events. */
async function run(generation: Generation): Promise<Ending> {
  const { deps, toMake, transcript, events, signal } = generation;
  try {
    const reply = await toRun(deps, toMake, signal);
    reply.labels = await generation.labels;
    await deliver(runReply(deps, reply, signal), (batch) => {
      for (const event of batch) transcript.add(event);
      // most batches are a word
      if (batch.every(isText)) return events.append(batch);
      const wait = events.append(batch.filter(isPublished).map(toPublished));
      const failure = batch.find((event) => event.type === "error");
      if (failure) throw toApiError(failure);
      return wait;
    });
    checkEnd(transcript);
    return "complete";
  } catch (error) {
    return toEnding(generation, error);
  }
}

/** @throws BadGateway for a reply without an end, or without anything that its reader can see. */
function checkEnd({ content, finishReason, toolCalls, waiting }: Transcript): void {
  if (finishReason === null)
    throw new BadGateway(
      "run_cut",
      "The service that generates the reply stopped before its end. Ask again.",
    );
  const isEmpty = content.trim() === "" && toolCalls.length + waiting.length === 0;
  if (finishReason === "stop" && isEmpty)
    throw new BadGateway(
      "reply_empty",
      "The reply ended without any text. Ask again, or choose another model.",
    );
}

/** Adds what it takes to generate the reply: the bytes of images, and the files for a flow. */
async function toRun(
  { db, attachments }: GenerateDeps,
  toMake: ReplyToMake,
  signal: AbortSignal,
): Promise<PreparedReply> {
  const { plan, userId, conversationId, messageId, messages, decisions, earlier } = toMake;
  const reply: PreparedReply = {
    plan,
    userId,
    conversationId,
    messageId,
    messages: await attachments.expand(userId, messages, {
      readsPdfs: plan.readsPdfs === true,
      signal,
    }),
  };
  if (plan.flow)
    reply.files = await attachments.visible(userId, await listThreadFiles(db, messageId));
  else if (!isFirstTurn(toMake)) await addViewContexts(db, reply, conversationId);
  if (decisions) reply.decisions = decisions;
  if (earlier) reply.sources = earlier.sources;
  return reply;
}

/** Nobody can have a view of a conversation open that begins with this. */
function isFirstTurn({ isNew, segment }: ReplyToMake): boolean {
  return isNew === true && segment === 1;
}

/** What the asking person's open views add is read as what it is: of somebody outside. */
async function addViewContexts(
  db: Database,
  reply: PreparedReply,
  conversationId: string,
): Promise<void> {
  const contexts = await listViewContexts(db, { conversationId, userId: reply.userId });
  if (contexts.length === 0) return;
  const { contextWindow } = reply.plan;
  reply.messages = withViewContexts(reply.messages, contexts, contextWindow);
  reply.readsOpenWorld = true;
}

function isText(event: ReplyEvent): event is Extract<ReplyEvent, { type: "text_delta" }> {
  return event.type === "text_delta";
}

type Published = Exclude<ReplyEvent, { type: "done" | "error" }>;

/** The last event is published when the outcome is stored. */
function isPublished(event: ReplyEvent): event is Published {
  return event.type !== "done" && event.type !== "error";
}

/** What a provider wants back is not for readers. */
function toPublished(event: Published): Published {
  if (event.type !== "tool_call" || !event.state) return event;
  const { state: _, ...published } = event;
  return published;
}

function toEnding({ deps, toMake, signal }: Generation, error: unknown): Ending {
  if (signal.aborted) return toInterruption(signal.reason);
  if (error instanceof ApiError) return { error };
  deps.log.error({ err: error, messageId: toMake.messageId }, "a reply failed");
  return { error: unexpectedFailure(toMake.messageId, error) };
}

function toInterruption(reason: unknown): Ending {
  if (reason === STOPPED) return "stopped";
  return { error: reason instanceof Forbidden ? reason : shuttingDown() };
}

function partialOf({ transcript, title }: Generation): PartialReply {
  const { content, reasoning } = transcript;
  return { content, reasoning, title };
}

/** A title that is nearly there goes with the reply. Nobody waits for a slow one. */
async function titleSoon({ naming }: Generation): Promise<void> {
  if (naming) await endsWithin(TITLE_GRACE_MS, naming.made);
}

/**
 * Records the outcome and publishes the last event. Then it condenses the thread if it became long,
 * and stores a title that came late.
 */
async function conclude(generation: Generation, ending: Ending): Promise<void> {
  const { deps, toMake, transcript, events, naming, signal } = generation;
  const { messageId } = toMake;
  const title = generation.title ?? naming?.firstWords;
  try {
    if (title) await events.append([{ type: "title", title }]);
    const outcome = { ...toOutcome(transcript, ending), title };
    await waitOutOutage(() => deps.writer.saveOutcome(messageId, outcome));
    await events.append([toLastEvent(messageId, outcome, transcript)]);
    announce(generation);
    await saveLateTitle(generation, title);
    await condenseHistory(deps, toMake, outcome.history, signal).catch((error: unknown) =>
      deps.log.debug({ err: error, messageId }, "a long thread could not be summed up"),
    );
  } catch (error) {
    // its lease expires, and the reply ends as failed
    deps.log.error({ err: error, messageId }, "the outcome of a reply could not be stored");
    const failure = "The reply could not be stored. Ask again.";
    await events.append([{ type: "error", error: failure, code: "storage_failed" }]);
    announce(generation);
  }
}

/** Tells the user's clients that the conversation changed. */
function announce({ deps, toMake: { userId, conversationId } }: Generation): void {
  publishChange(deps.cache, [userId], { type: "conversation", id: conversationId });
}

/** The model's title in the place of the first words, unless somebody has renamed it since. */
async function saveLateTitle(
  generation: Generation,
  shown: string | undefined,
): Promise<void> {
  const { deps, toMake, naming, title } = generation;
  if (!naming || shown === undefined || title !== undefined) return;
  const made = await naming.made;
  if (made === undefined || made === shown) return;
  const { conversationId } = toMake;
  await renameUntouched(deps.db, conversationId, shown, made).catch((error: unknown) =>
    deps.log.debug({ err: error, conversationId }, "a late title could not be stored"),
  );
  announce(generation);
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

/** A flow takes no more files. */
const MAX_FILES = 20;
const MAX_THREAD_MESSAGES = 1_000;

/**
 * The files of the messages that lead to this one, the newest first. Some may be deleted, or not
 * visible to the user any more.
 */
async function listThreadFiles(db: Database, messageId: string): Promise<string[]> {
  const rows = await db.query<{ fileId: string }>(sql`
    with recursive thread as (
      select id, parent_id, 0 as depth from core.messages where id = ${messageId}
      union all
      select m.id, m.parent_id, depth + 1 from core.messages m
      join thread t on m.id = t.parent_id where depth < ${MAX_THREAD_MESSAGES})
    select f.file_id as "fileId" from thread t
    join core.message_files f on f.message_id = t.id
    group by f.file_id order by min(t.depth), min(f.position) limit ${MAX_FILES}`);
  return rows.map(({ fileId }) => fileId);
}
