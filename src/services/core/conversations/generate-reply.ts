import { cutText } from "../../../platform/cut-text.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cache } from "../../../platform/cache/cache.ts";
import { ApiError, shuttingDown, Unavailable } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RunEvent, RunRequest, ToolOutcome } from "../../agent/contract.ts";
import type { Message } from "../../completion/contract.ts";
import { toApiError } from "../../../platform/http/to-api-error.ts";
import type { Attachments, StoredMessage } from "./attachments.ts";
import { ReplyCollector } from "./collect-reply.ts";
import type { ConversationEvent } from "./contract.ts";
import { beginReplyLog } from "./reply-log.ts";
import { citedIn } from "../sources/check-citations.ts";
import type { Source } from "../sources/contract.ts";
import type { ReplyRequest } from "./reply-store.ts";
import type { Outcome, ReplyWriter } from "./reply-writer.ts";

export interface GenerateDeps {
  writer: ReplyWriter;
  cache: Cache;
  log: Logger;
  /** The agent service's loop where tools are permitted, the completion service where none are. */
  run: (
    request: RunRequest,
    job: ReplyJob,
    signal: AbortSignal,
  ) => AsyncIterable<(RunEvent | ConversationEvent)[]>;
  /** The thread with the bytes of its images. */
  expand: Attachments["expand"];
  makeTitle: (
    content: string,
    context: { userId: string; conversationId: string; model: string },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Makes a thread that became long shorter for later messages. */
  condense: (job: ReplyJob, reply: readonly StoredMessage[], signal: AbortSignal) => Promise<void>;
}

/** A reply to be made. */
export interface ReplyJob {
  messageId: string;
  conversationId: string;
  userId: string;
  run: number;
  /** What its readers are told first. */
  opening: readonly ConversationEvent[];
  request: ReplyRequest;
  messages: StoredMessage[];
  /** The first words of a conversation that has no title yet. */
  titleFor?: string;
  decisions?: RunRequest["decisions"];
  before?: { history: Message[]; toolCalls: ToolOutcome[]; sources: Source[] };
}

/** Why a reply's signal aborts when somebody stops it; for any other reason its process ends. */
export const STOPPED = "a person stopped it";

const SAVE_EVERY = 1_000;
/** An outage of the database that the end of a reply waits out, and how often it looks. */
const [OUTAGE_MS, RETRY_MS] = [30_000, 500];

/**
 * Makes a reply, whoever reads along or leaves: events to its log, text to the database each
 * second, its outcome at the end. `signal` stops it; what was said until then is kept. Never
 * throws.
 */
export async function generateReply(
  deps: GenerateDeps,
  job: ReplyJob,
  signal: AbortSignal,
): Promise<void> {
  const { writer, cache, log } = deps;
  const reply = new ReplyCollector(job.before);
  const events = beginReplyLog(cache, job.messageId, job.run, log);
  const begun = events.append(job.opening);
  let title: string | undefined;
  const naming =
    job.titleFor === undefined
      ? undefined
      : titleOf(deps, job, job.titleFor, signal).then((made) => (title = made));
  const saving = setInterval(() => {
    writer
      .savePartial(job.messageId, { content: reply.content, title })
      .catch((error: unknown) => log.warn({ err: error }, "a partial reply could not be saved"));
  }, SAVE_EVERY);
  let failure: unknown;
  try {
    await begun;
    const messages = await deps.expand(job.userId, job.messages, signal);
    for await (const batch of deps.run(runRequest(job, messages), job, signal)) {
      for (const event of batch) if (!("messageId" in event)) reply.add(event);
      await events.append(
        batch.filter(
          (event): event is ConversationEvent => event.type !== "done" && event.type !== "error",
        ),
      );
      const error = batch.find((event) => event.type === "error");
      if (error) throw toApiError(error);
    }
  } catch (error) {
    failure = error;
  } finally {
    clearInterval(saving);
  }
  try {
    await naming;
    if (title) await events.append([{ type: "title", title }]);
    const ended =
      signal.aborted &&
      signal.reason !== STOPPED &&
      (failure !== undefined || reply.finishReason === null);
    const reason = ended ? shuttingDown() : failure;
    const outcome = { ...outcomeOf(reply, reason, signal.reason === STOPPED, log), title };
    await whenAvailable(() => writer.saveOutcome(job.messageId, outcome));
    await events.append([lastEvent(job, reply, outcome)]);
    await deps
      .condense(job, outcome.history, signal)
      .catch((error: unknown) => log.debug({ err: error }, "a long thread could not be summed up"));
  } catch (error) {
    // its lease ends, and with it the reply, as failed
    log.error(
      { err: error, messageId: job.messageId },
      "the outcome of a reply could not be stored",
    );
    await events.append([
      { type: "error", error: "The reply could not be stored. Ask again.", code: "storage_failed" },
    ]);
  }
}

/** What was said is kept over a restart of the database. */
async function whenAvailable(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + OUTAGE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function runRequest(
  { request, conversationId, userId, decisions }: ReplyJob,
  messages: Message[],
): RunRequest {
  const { agent, model, tools, instructions, approval, temperature, budgets } = request;
  return {
    model,
    messages,
    tools,
    stream: true,
    maxIterations: 15,
    approval,
    context: { userId, conversationId, ...(agent && { agentId: agent.id }) },
    ...(instructions && { instructions }),
    ...(temperature !== undefined && { temperature }),
    ...(decisions && { decisions }),
    ...(budgets && { budgets }),
  };
}

function titleOf(
  { makeTitle, log }: GenerateDeps,
  { conversationId, userId, request }: ReplyJob,
  content: string,
  signal: AbortSignal,
): Promise<string> {
  return makeTitle(content, { userId, conversationId, model: request.model }, signal).catch(
    (error: unknown) => {
      log.debug({ err: error }, "no title was made; the first words serve");
      return cutText(content.trim().replace(/\s+/g, " "), 60);
    },
  );
}

function outcomeOf(
  reply: ReplyCollector,
  failure: unknown,
  stopped: boolean,
  log: Logger,
): Omit<Outcome, "title"> {
  const { content, toolCalls, waiting, usage, finishReason } = reply;
  const cited = reply.sources.length > 0 ? citedIn(content) : undefined;
  const sources = reply.sources.map((source) => ({
    ...source,
    cited: cited?.has(source.index) === true,
  }));
  if (failure === undefined && finishReason !== null) {
    return {
      status: "complete",
      content,
      toolCalls,
      history: reply.history,
      waiting,
      sources,
      usage,
      finishReason,
      error: null,
    };
  }
  // calls without results would make every later request of the thread invalid, so only the text
  // stays
  const cut = {
    content,
    toolCalls,
    history: [],
    waiting: [],
    sources,
    usage,
    finishReason: stopped ? "cancelled" : null,
  };
  if (stopped) return { ...cut, status: "stopped", error: null };
  if (!(failure instanceof ApiError)) log.error({ err: failure }, "a reply failed");
  const known =
    failure instanceof ApiError
      ? failure
      : new ApiError(500, "internal_error", "Something went wrong on our side. Ask again.");
  return { ...cut, status: "failed", error: { error: known.message, code: known.code } };
}

function lastEvent(
  job: ReplyJob,
  reply: ReplyCollector,
  outcome: Omit<Outcome, "title">,
): ConversationEvent {
  if (outcome.error) return { type: "error", ...outcome.error };
  return {
    type: "done",
    messageId: job.messageId,
    content: outcome.content,
    finishReason: outcome.status === "stopped" ? "cancelled" : (reply.finishReason ?? "stop"),
    iterations: reply.iterations,
    usage: outcome.usage ?? { inputTokens: 0, outputTokens: 0 },
  };
}
