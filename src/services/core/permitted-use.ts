import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard, Permission } from "../../platform/http/guard.ts";
import type { Agent } from "./agents/contract.ts";
import type { ModelKind } from "../completion/contract-model-kinds.ts";
import type { AgentOfUse } from "./agents/list-agents.ts";
import type { ChosenModel, ModelChooser } from "./catalogue/choose-model.ts";
import type { Selection } from "./catalogue/contract-entries.ts";
import { needsDocuments } from "./sources/plan-retrieval.ts";
import { permissionOf, toolsOfSet } from "./tools/toolsets.ts";

/** Decides what a user's roles permit for replies, for every route that asks for one. */
export interface PermittedUse {
  /**
   * The model of this name, or the first that the user may use, of those that answer or of another
   * kind. @throws Forbidden, NotFound.
   */
  chooseModel(user: User, name: string | undefined, kind?: ModelKind): Promise<ChosenModel>;
  /** The fallbacks of an available model that the user may use; without one, all. */
  listFallbacks(user: User | undefined, id: string): Promise<Selection[]>;
  /** The models that the user may use: those that answer, or of all kinds. */
  listModels(user: User, kind?: "completion" | "any"): Promise<Selection[]>;
  /**
   * Returns the agent, as its newest version or as the one that is named.
   * @throws Forbidden, and what finding the agent throws.
   */
  findAgent(user: User, id: string, version?: number): Promise<Agent>;
  /** Returns those of the agents that the user may use. */
  filterAgents(user: User, agents: readonly AgentOfUse[]): Promise<AgentOfUse[]>;
  /**
   * The tools that a message names, which must all be permitted; without them, the permitted tools
   * of its agent. The name of a toolset stands for those of its tools that are permitted.
   * @throws Forbidden.
   */
  tools(
    user: User,
    named: readonly string[] | undefined,
    ofAgent: string[],
  ): Promise<string[]>;
  /** Whether a reply may search documents. */
  searchesDocuments(user: User): Promise<boolean>;
  /** Whether a reply may read whole documents. */
  readsDocuments(user: User): Promise<boolean>;
  /** Whether the user may ask for a search of documents, by roles and by the scopes of the key. */
  asksDocuments(user: User): Promise<boolean>;
  /**
   * Whether destructive tools may run for the user without approval, by roles and by the scopes of
   * the key in use.
   */
  mayRunUnasked(user: User): Promise<boolean>;
}

interface Deps {
  guard: Guard;
  models: ModelChooser;
  findAgent: (user: User, id: string, version: number | undefined) => Promise<Agent>;
}

export function permittedUse({ guard, models, findAgent }: Deps): PermittedUse {
  return {
    chooseModel: (user, name, kind) =>
      models.choose(name, (model) => mayUseModel(guard, user, model), kind),
    listFallbacks: (user, id) =>
      models.fallbacksOf(id, async (model) => !user || mayUseModel(guard, user, model)),
    listModels: (user, kind) =>
      models.list((model) => mayUseModel(guard, user, model), kind),
    async findAgent(user, id, version) {
      const agent = await findAgent(user, id, version);
      await guard.check("agent:use", user, { agentId: agent.id });
      if (needsDocuments(agent)) await guard.check("document:search", user);
      if (agent.type === "workflow")
        await guard.check("flow:run", user, { flowId: agent.flowId });
      return agent;
    },
    async filterAgents(user, agents) {
      const permitted = await Promise.all(
        agents.map((agent) => mayUseAgent(guard, user, agent)),
      );
      return agents.filter((_, at) => permitted[at]);
    },
    async tools(user, named, ofAgent) {
      const permitted: string[] = [];
      for (const name of named ?? ofAgent) {
        const ofSet = toolsOfSet(name);
        const allowed = await filterTools(guard, user, ofSet ?? [name]);
        // of a toolset it is enough that some of its tools are permitted
        if (named && allowed.length === 0) throw toolRefused(name);
        permitted.push(...allowed);
      }
      return [...new Set(permitted)];
    },
    searchesDocuments: (user) => isPermitted(guard, "document:search", user),
    readsDocuments: (user) => isPermitted(guard, "document:read", user),
    asksDocuments: (user) => guard.allows("document:search", user),
    mayRunUnasked: async (user) =>
      (await guard.allows("tool:approve", user)) && guard.allows("tool:administer", user),
  };
}

function mayUseModel(
  guard: Guard,
  user: User,
  { providerName, providerModelId }: Selection,
): Promise<boolean> {
  return isPermitted(guard, "model:use", user, {
    model: `${providerName}/${providerModelId}`,
  });
}

async function mayUseAgent(guard: Guard, user: User, agent: AgentOfUse): Promise<boolean> {
  const { id: agentId, flowId, type } = agent;
  if (!(await isPermitted(guard, "agent:use", user, { agentId }))) return false;
  if (needsDocuments(agent) && !(await isPermitted(guard, "document:search", user)))
    return false;
  return type !== "workflow" || isPermitted(guard, "flow:run", user, { flowId });
}

async function filterTools(
  guard: Guard,
  user: User,
  tools: readonly string[],
): Promise<string[]> {
  const permitted = await Promise.all(tools.map((tool) => mayUseTool(guard, user, tool)));
  return tools.filter((_, at) => permitted[at]);
}

function mayUseTool(guard: Guard, user: User, tool: string): Promise<boolean> {
  return isPermitted(guard, permissionOf(tool), user, { tool });
}

/** By roles alone: scopes of an API key limit the routes that it calls, not what a reply uses. */
async function isPermitted(guard: Guard, permission: Permission, user: User, fields = {}) {
  const byRoles: User = { ...user, via: "jwt" };
  return guard.allows(permission, byRoles, fields);
}

function toolRefused(tool: string): Forbidden {
  return new Forbidden(
    "permission_missing",
    `Your roles do not permit the tool "${tool}". Leave it out, or ask an administrator.`,
  );
}
