import sql from "sql-template-tag";
import { deliver, type Emit, pushed } from "../../../platform/batches.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { type CarriedLabel, judgeByLabels } from "../../users/contract-judge-labels.ts";
import { ofConversation, ofDocument, documentsOf } from "../labels/read-resources.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import type { Message } from "../../completion/contract.ts";
import { type Flows, flowSessionOf, flowsUnavailable } from "../flows/flows.ts";
import { retrievalUnavailable, type PassageFinder } from "../sources/find-passages.ts";
import {
  answerFromDocuments,
  checkEvents,
  removeCitations,
} from "./answer-from-documents.ts";
import { toolsetOf } from "../tools/toolsets.ts";
import type { PreparedReply } from "./reply-to-make.ts";
import { type ModelDeps, runModel } from "./run-model.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import { passageText } from "../sources/take-passages.ts";
import { linksOf } from "../web/links-of-message.ts";
import { readLinks } from "../web/read-links.ts";
import { READ_PAGE } from "../web/toolset.ts";
import type { Web } from "../web/web-client.ts";
import { typedText } from "./history.ts";

export interface ReplyDeps extends ModelDeps {
  db: Database;
  /** Absent when documents cannot be searched here. */
  finder: PassageFinder | undefined;
  /** Absent when no integrations service has an address here. */
  flows: Flows | undefined;
}

/**
 * Runs a reply: by a flow, from documents, or by a model with or without tools. All three are one
 * stream of events.
 * What it reads is judged by its labels at each step.
 * @throws ApiError, before the first event or between two.
 */
export function runReply(
  deps: ReplyDeps,
  asked: PreparedReply,
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  return pushed(async (emit) => {
    const labels = asked.labels ?? (await firstLabels(deps, asked));
    const reply = { ...asked, labels };
    if (labels.length > 0) await emit([{ type: "labels", labels: [...labels] }]);
    const { flow } = reply.plan;
    if (flow) await deliver(runFlow(deps, reply, flow.id, signal), emit);
    else await answer(deps, reply, signal, emit);
  });
}

type Beginning = Pick<
  PreparedReply,
  "plan" | "userId" | "conversationId" | "reads" | "sources"
>;

/** Those of the agent, of the conversation, and of all that was attached to it or its messages. */
export async function firstLabels(
  { db, labels }: Pick<ReplyDeps, "db" | "labels">,
  { plan, userId, conversationId, reads = [], sources = [] }: Beginning,
): Promise<CarriedLabel[]> {
  const { agent, retrieval } = plan;
  const read = [...reads, ...documentsOf(sources)];
  if (agent) read.push({ resourceType: "agent", resourceId: agent.id });
  if (conversationId !== undefined) read.push(ofConversation(conversationId));
  for (const id of retrieval?.attached ?? []) read.push(ofDocument(id));
  if (conversationId !== undefined && (await labels.isInUse()))
    read.push(...(await listMessageFiles(db, conversationId)).map(ofDocument));
  return labels.collect({ userId, conversationId }, read);
}

/** What a file says may stand whole in the message that it came with, whatever is read now. */
async function listMessageFiles(db: Database, conversationId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select distinct file.file_id as id
    from core.messages message join core.message_files file on file.message_id = message.id
    where message.conversation_id = ${conversationId}`);
  return rows.map(({ id }) => id);
}

async function answer(
  deps: ReplyDeps,
  asked: PreparedReply,
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<void> {
  const isContinued = asked.sources !== undefined;
  const reply = isContinued
    ? recallPages(asked)
    : await readLinksOfMessage(deps, asked, signal, emit);
  const { finder } = deps;
  const { retrieval } = reply.plan;
  if (retrieval) {
    if (!finder) throw retrievalUnavailable();
    const events = answerFromDocuments({ ...deps, finder }, reply, retrieval, signal);
    return deliver(events, emit);
  }
  const cites = givesSources(reply);
  return deliver((cites ? citePages : runModel)(deps, reply, signal), emit);
}

function givesSources({ plan: { tools } }: PreparedReply): boolean {
  return tools.some((name) => toolsetOf(name)?.givesSources);
}

/** The model's tools give the passages: citations of any others are removed. */
function citePages(
  deps: ReplyDeps,
  reply: PreparedReply,
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  const messages = reply.messages.map(removeCitations);
  return checkEvents(runModel(deps, { ...reply, messages }, signal), reply.sources ?? []);
}

/** No rule names it, so one that names providers excludes it. */
const FLOW_PROVIDER = "flows";
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

async function* runFlow(
  { flows }: ReplyDeps,
  { userId, conversationId, messages, files = [], labels = [] }: PreparedReply,
  flowId: string,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[]> {
  if (!flows) throw flowsUnavailable();
  refuseFlow(labels);
  const sessionId = flowSessionOf(conversationId, messages);
  const request = { userId, input: lastUserText(messages), sessionId, files };
  for await (const batch of flows.run(flowId, request, signal))
    yield batch.map((event): ReplyEvent => {
      if (event.type === "text_delta") return event;
      const { output: content } = event;
      return {
        type: "done",
        content,
        finishReason: "stop",
        iterations: 1,
        usage: NO_TOKENS,
      };
    });
}

/** A flow is outside, and asks nobody. @throws Forbidden `label_forbids_flow`. */
function refuseFlow(labels: readonly CarriedLabel[]): void {
  const call = { kind: "call", openWorld: true, destructive: true } as const;
  const provider = { kind: "provider", provider: FLOW_PROVIDER } as const;
  const label = judgeByLabels(labels, call).label ?? judgeByLabels(labels, provider).label;
  if (label)
    throw new Forbidden(
      "label_forbids_flow",
      `The label “${label.name}” does not let a flow read this. Choose another agent.`,
      { params: { label: label.name } },
    );
}

function lastUserText(messages: readonly Message[]): string {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

const READING_A_PAGE = { kind: "call", openWorld: true, destructive: false } as const;

/**
 * Reads the pages that the message names, where the reply may read pages: emits their passages as
 * `sources`, and as warnings why others could not be read. So it is not left to the model. Where
 * such a call waits for the user's decision, the model asks for a page by its tool instead.
 * @returns the reply with the passages.
 */
async function readLinksOfMessage(
  { web }: { web?: Web | undefined },
  reply: PreparedReply,
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<PreparedReply> {
  const { plan, userId, messages, labels = [] } = reply;
  if (!plan.tools.includes(READ_PAGE) || plan.approval === "always") return reply;
  // an address can carry what was read to whoever answers there
  const { verdict } = judgeByLabels(labels, READING_A_PAGE);
  if (verdict !== "allowed") return reply;
  const message = messages.findLast(({ role }) => role === "user");
  const links = message ? linksOf(typedText(message)) : [];
  if (links.length === 0) return reply;
  const { contextWindow } = plan;
  const read = await readLinks(web, { userId, links, contextWindow }, signal);
  if (read.failures.length > 0)
    await emit(read.failures.map((one) => ({ type: "warning", ...toStoredFailure(one) })));
  if (read.sources.length > 0) await emit([{ type: "sources", sources: read.sources }]);
  return { ...withInstructions(reply, read.text), sources: read.sources };
}

/** A reply that continues after a decision has the passages that it read before. */
function recallPages(reply: PreparedReply): PreparedReply {
  // notes on them are among the results: whole, they might not fit
  if (reply.plan.ending) return reply;
  const pages = (reply.sources ?? []).filter(({ url }) => url !== undefined);
  if (pages.length === 0) return reply;
  const passages = pages.map(passageText).join("\n\n");
  return withInstructions(reply, `Passages of pages that you have read:\n\n${passages}`);
}

function withInstructions(reply: PreparedReply, text: string): PreparedReply {
  const instructions = [reply.plan.instructions, text].filter(Boolean).join("\n\n");
  return { ...reply, plan: { ...reply.plan, instructions } };
}
