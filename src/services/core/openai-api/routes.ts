import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { type Fetch, stream } from "../../../platform/http/call.ts";
import { type User, userOf } from "../../../platform/http/caller.ts";
import { BadRequest, NotFound, shuttingDown } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import type { RunEvent, RunRequest } from "../../agent/contract.ts";
import { completionContract } from "../../completion/contract.ts";
import type { Agent } from "../agents/contract.ts";
import { listAgents } from "../agents/store.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Answer } from "../sources/answer.ts";
import { planRetrieval } from "../sources/plan-retrieval.ts";
import type { Budgets } from "../usage/budgets.ts";
import { type FlowPlan, sessionOf } from "../flows/flows.ts";
import { listSelections } from "../catalogue/store.ts";
import { type ChatRequest, type Model, openAiContract as contract } from "./contract.ts";
import { chunksOf, completionFrom, failed, type Head, type ReplyEvent } from "./to-chunks.ts";
import { completionOf } from "./to-messages.ts";

interface Deps {
  db: Database;
  completion: Fetch;
  answer: Answer;
  hasRetrieval: boolean;
  timeoutMs: number;
  budgets: Budgets;
  use: PermittedUse;
}

const AGENT = /^(?:agent:)?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;
/** Events of conversations, not of runs. */
const OURS = new Set(["sources", "warning", "canvas", "title", "conversation"]);
const MAX_LISTED = 1_000;

/** OpenAI's chat API over our models and agents, so that any client of it can use the platform. */
export function openAiRoutes(routes: Routes, deps: Deps): void {
  routes
    .on(contract.chatCompletions, async ({ body, caller, signal }) => {
      const head = {
        id: `chatcmpl-${uuidv7()}`,
        created: Math.floor(Date.now() / 1_000),
        model: body.model,
      };
      const replies = await replyTo(deps, userOf(caller), body, signal);
      return body.stream ? streamed(replies, head, body) : completionFrom(replies, head);
    })
    .on(contract.openAiModels, async ({ caller }) => ({
      object: "list" as const,
      data: await modelsFor(deps, userOf(caller)),
    }))
    .on(contract.openAiModel, ({ caller, params }) =>
      findModel(deps, userOf(caller), params.model),
    );
}

/**
 * One that is listed, or an agent that others share with the user.
 * @throws NotFound `model_not_found`.
 */
async function findModel(deps: Deps, user: User, name: string): Promise<Model> {
  const listed = (await modelsFor(deps, user)).find(({ id }) => id === name);
  if (listed) return listed;
  const absent = () =>
    new NotFound("model_not_found", `There is no model "${name}". GET /v1/models lists them.`);
  const agentId = AGENT.exec(name)?.[1];
  if (agentId === undefined) throw absent();
  return asModel(
    await deps.use.findAgent(user, agentId).catch((error: unknown) => {
      throw error instanceof NotFound ? absent() : error;
    }),
  );
}

function asModel({ id, ownerId, createdAt }: Agent): Model {
  return {
    id: `agent:${id}`,
    object: "model",
    created: Math.floor(Date.parse(createdAt) / 1_000),
    owned_by: ownerId || "parlance",
  };
}

/** The first events are awaited, so that what is refused at once is an HTTP error. */
async function streamed(
  replies: AsyncIterable<readonly ReplyEvent[]>,
  head: Head,
  { stream_options: options }: ChatRequest,
) {
  const source = replies[Symbol.asyncIterator]();
  const first = await source.next();
  async function* all() {
    if (!first.done) yield first.value;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  }
  return encodedEventStream(
    chunksOf(all(), head, { includeUsage: options?.include_usage === true }),
    () => failed(shuttingDown()),
  );
}

/** A model answers by itself and its calls go to the client; an agent runs its own tools here. */
async function replyTo(
  { completion, answer, hasRetrieval, timeoutMs, budgets, use }: Deps,
  user: User,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<readonly ReplyEvent[]>> {
  const asked = completionOf(request);
  const context = { userId: user.userId };
  const agentId = AGENT.exec(request.model)?.[1];
  await budgets.check({ userId: user.userId, agentId });
  if (agentId === undefined) {
    const { model } = await use.chooseModel(user, request.model);
    const body = { ...asked, model, stream: true, context };
    return stream(completion, completionContract.complete, { body }, { signal, timeoutMs });
  }
  if (asked.tools)
    throw new BadRequest(
      "agent_has_tools",
      "An agent uses its own tools. Send none, or name a model instead of an agent.",
    );
  const agent = await use.findAgent(user, agentId);
  const { model, contextWindow, pricing } = await use.chooseModel(user, agent.model ?? undefined);
  const { messages, temperature = agent.temperature ?? undefined, maxTokens } = asked;
  const run: RunRequest = {
    model,
    messages,
    tools: await use.tools(user, undefined, agent.tools),
    stream: true,
    maxIterations: 15,
    approval: "destructive",
    context: { ...context, agentId: agent.id },
    budgets: await budgets.ofRun(agent.id, pricing),
    ...(agent.instructions && { instructions: agent.instructions }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  const isSearched = hasRetrieval && (await use.searchesDocuments(user));
  const plan = isSearched ? planRetrieval(agent, []) : undefined;
  const flow =
    agent.flowId === null || agent.type !== "workflow" ? undefined : flowOf(agent.flowId, messages);
  return withoutOurs(
    answer(
      { request: run, plan: flow ? undefined : plan, flow, userId: user.userId, contextWindow },
      signal,
    ),
  );
}

/** The client holds the conversation, so the flow remembers nothing of it. */
function flowOf(id: string, messages: RunRequest["messages"]): FlowPlan {
  return { id, sessionId: sessionOf(undefined, messages), files: async () => [] };
}

/** Events that OpenAI's API has words for. */
async function* withoutOurs(events: ReturnType<Answer>): AsyncGenerator<RunEvent[]> {
  for await (const batch of events)
    yield batch.filter((event): event is RunEvent => !OURS.has(event.type));
}

async function modelsFor({ db }: Deps, user: User): Promise<Model[]> {
  const { items: models } = await listSelections(db, MAX_LISTED, 0);
  const own = await listAgents(db, { ownerId: user.userId }, MAX_LISTED, 0);
  const shared = await listAgents(db, { organization: user.clientId }, MAX_LISTED, 0);
  const agents = new Map([...own.items, ...shared.items].map((agent) => [agent.id, agent]));
  return [
    ...models.map(({ id, providerName }): Model => ({
      id,
      object: "model",
      created: 0,
      owned_by: providerName,
    })),
    ...[...agents.values()].map(asModel),
  ];
}
