import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { embeddingContract } from "../../embedding/contract.ts";
import { isReplaced } from "../../completion/contract-load-shared.ts";
import type { AnsweredBy } from "../../completion/contract.ts";
import { type AgentOfUse, listAgentsOfUse } from "../agents/list-agents.ts";
import { RESEARCH_AGENT } from "../contract-agents.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Model } from "./contract.ts";

const AGENT_NAME = /^(?:agent:)?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;
const MAX_AGENTS = 1_000;
const EMBEDDING_TIMEOUT_MS = 2_000;

interface Deps {
  db: Database;
  use: PermittedUse;
  /** Absent: nothing is embedded here. */
  embedding?: Fetch | undefined;
}

/** The id of the agent that a request names as its model. */
export function agentIdOf(model: string): string | undefined {
  return AGENT_NAME.exec(model)?.[1];
}

/**
 * What an answer names as its model: who answered, or the agent, whose model is its own matter. The
 * endpoint of a model is a matter of administrators.
 */
export function answeringModel(asked: string, by: AnsweredBy): string {
  return agentIdOf(asked) === undefined && isReplaced(by) ? by.model : asked;
}

/**
 * The models that the user may use, and the user's and the organisation's agents. `forChat`: only
 * what answers; else also the models of other kinds, and the one that embeds texts here.
 */
export async function listModels(
  { db, use, embedding }: Deps,
  user: User,
  { forChat = false }: { forChat?: boolean } = {},
): Promise<Model[]> {
  const listed = await use.listModels(user, forChat ? "completion" : "any");
  // of those that embed, the one in use counts, by its own name
  const models = listed.filter(({ kind }) => kind !== "embedding");
  const embeds = forChat || !embedding ? [] : await embeddingModel(embedding);
  const own = await listAgentsOfUse(db, { ownerId: user.userId }, MAX_AGENTS);
  const shared = await listAgentsOfUse(
    db,
    // it needs a conversation, for its plan and its report
    { organization: user.clientId, without: [RESEARCH_AGENT] },
    MAX_AGENTS,
  );
  const agents = new Map([...own, ...shared].map((agent) => [agent.id, agent] as const));
  const permitted = await use.filterAgents(user, [...agents.values()]);
  return [
    ...models.map(({ id, providerName }): Model => ({
      id,
      object: "model",
      created: 0,
      owned_by: providerName,
    })),
    ...embeds,
    ...permitted.map(toModel),
  ];
}

/** The model of `POST /v1/embeddings`. */
async function embeddingModel(embedding: Fetch): Promise<Model[]> {
  const { embedModel } = embeddingContract;
  try {
    const { model, provider } = await call(
      embedding,
      embedModel,
      {},
      { timeoutMs: EMBEDDING_TIMEOUT_MS },
    );
    return [{ id: model, object: "model", created: 0, owned_by: provider }];
  } catch {
    return []; // the others can be listed without it
  }
}

/**
 * A model that is listed, or an agent that is shared with the user.
 * @throws NotFound `model_not_found`.
 */
export async function findModel(deps: Deps, user: User, name: string): Promise<Model> {
  const listed = (await listModels(deps, user)).find(({ id }) => id === name);
  if (listed) return listed;
  const agentId = agentIdOf(name);
  if (agentId === undefined) throw modelNotFound(name);
  const agent = await deps.use.findAgent(user, agentId).catch((error: unknown) => {
    throw error instanceof NotFound ? modelNotFound(name) : error;
  });
  return toModel(agent);
}

function toModel({ id, ownerId, createdAt }: AgentOfUse): Model {
  return {
    id: `agent:${id}`,
    object: "model",
    created: Math.floor(Date.parse(createdAt) / 1_000),
    owned_by: ownerId || "parlance",
  };
}

export function modelNotFound(name: string): NotFound {
  return new NotFound(
    "model_not_found",
    `There is no model "${name}". GET /v1/models lists them.`,
  );
}
