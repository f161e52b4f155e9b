import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard, Permission } from "../../platform/http/guard.ts";
import type { Agent } from "./agents/contract.ts";
import type { ChosenModel, ModelChooser } from "./catalogue/choose-model.ts";
import { isFlowTool } from "./flows/flows.ts";
import { needsDocuments } from "./sources/plan-retrieval.ts";

/** What a user's roles let their replies use, by whatever way they ask for one. */
export interface PermittedUse {
  /** The model of this name, or the first that the user may use. @throws Forbidden, NotFound. */
  chooseModel(user: User, name: string | undefined): Promise<ChosenModel>;
  /** @throws Forbidden, and what finding the agent throws. */
  findAgent(user: User, id: string): Promise<Agent>;
  /**
   * The tools that the message names, which must all be permitted; else those of the agent that
   * are.
   * @throws Forbidden.
   */
  tools(user: User, named: readonly string[] | undefined, ofAgent: string[]): Promise<string[]>;
  /** Whether a reply may search documents. */
  searchesDocuments(user: User): Promise<boolean>;
  /**
   * Whether the user may have destructive tools run without approval, by roles and by the scopes of
   * the key in use.
   */
  mayRunUnasked(user: User): Promise<boolean>;
}

interface Deps {
  guard: Guard;
  models: ModelChooser;
  findAgent: (user: User, id: string) => Promise<Agent>;
}

/** The permission that each of the platform's own tools needs; other tools need `tool:use`. */
const OWN_TOOLS: Record<string, Permission> = {
  create_canvas: "canvas:create",
  update_canvas: "canvas:update",
  read_canvas: "canvas:read",
};

export function permittedUse({ guard, models, findAgent }: Deps): PermittedUse {
  const mayUseTool = (user: User, tool: string) => {
    const permission = isFlowTool(tool) ? "flow:run" : (OWN_TOOLS[tool] ?? "tool:use");
    return isPermitted(guard, permission, user, { tool });
  };
  return {
    chooseModel: (user, name) =>
      models.choose(name, ({ providerName, providerModelId }) =>
        isPermitted(guard, "model:use", user, { model: `${providerName}/${providerModelId}` }),
      ),
    async findAgent(user, id) {
      const agent = await findAgent(user, id);
      await guard.check("agent:use", user, { agentId: agent.id });
      if (needsDocuments(agent)) await guard.check("document:search", user);
      if (agent.type === "workflow") await guard.check("flow:run", user, { flowId: agent.flowId });
      return agent;
    },
    async tools(user, named, ofAgent) {
      const tools = named ?? ofAgent;
      const permitted = await Promise.all(tools.map((tool) => mayUseTool(user, tool)));
      const refused = tools.find((_, at) => !permitted[at]);
      if (named && refused !== undefined)
        throw new Forbidden(
          "permission_missing",
          `Your roles do not permit the tool "${refused}". Leave it out, or ask an administrator.`,
        );
      return tools.filter((_, at) => permitted[at]);
    },
    searchesDocuments: (user) => isPermitted(guard, "document:search", user),
    mayRunUnasked: async (user) =>
      (await guard.allows("tool:approve", user)) && guard.allows("tool:administer", user),
  };
}

/** By roles alone: scopes of an API key limit the routes that it calls, not what a reply uses. */
async function isPermitted(guard: Guard, permission: Permission, user: User, fields = {}) {
  const byRoles: User = { ...user, via: "jwt" };
  return guard.allows(permission, byRoles, fields);
}
