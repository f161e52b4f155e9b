import type { Caller, User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import { beyondScopes, type Guard, scopesCover } from "../../platform/http/guard.ts";
import type { ListedTool } from "./contract.ts";

/** The tools that a caller of `/mcp` may run. */
export interface PermittedTools {
  filter(tools: readonly ListedTool[]): Promise<ListedTool[]>;
  /**
   * @throws Forbidden `permission_missing`, `scope_missing`, `grant_missing`, or `tool_not_chosen`
   * for what the API key or the program was not given.
   */
  check(name: string, tools: readonly ListedTool[]): Promise<void>;
  /**
   * Whose resources and prompts the caller may read: those of servers one of whose tools the caller
   * may run, and of servers without tools for callers who may run tools of any name.
   */
  servers(tools: readonly ListedTool[]): Promise<(server: string) => boolean>;
}

/**
 * Services may run every tool. A user needs `tool:use`, and for a destructive tool `tool:approve`,
 * because no approval is asked for here.
 */
export function permittedTools(guard: Guard, caller: Caller): PermittedTools {
  if (caller.kind !== "user")
    return {
      filter: async (tools) => [...tools],
      check: async () => {},
      servers: async () => () => true,
    };
  const isPermitted = async (tool: ListedTool) => {
    if (!isChosen(caller, tool)) return false;
    const fields = { tool: tool.name };
    if (!(await guard.allows("tool:use", caller, fields))) return false;
    return isHarmless(tool) || guard.allows("tool:approve", caller, fields);
  };
  const filter = async (tools: readonly ListedTool[]) => {
    const permitted = await Promise.all(tools.map(isPermitted));
    return tools.filter((_, at) => permitted[at]);
  };
  return {
    filter,
    async servers(tools) {
      const named = new Set(tools.map(({ server }) => server));
      const mine = new Set((await filter(tools)).map(({ server }) => server));
      const mayAll = await guard.allows("tool:use", caller, {});
      return (server) => {
        const isEmpty = !named.has(server) && (caller.tools?.includes(server) ?? true);
        return mine.has(server) || (mayAll && isEmpty);
      };
    },
    async check(name, tools) {
      const tool = tools.find((one) => one.name === name);
      if (!tool || (await isPermitted(tool))) return;
      if (!isChosen(caller, tool)) throw notChosen(name);
      const needed = ["tool:use", ...(isHarmless(tool) ? [] : ["tool:approve"])];
      const missing = needed.find((permission) => !scopesCover(caller, permission));
      if (missing !== undefined) throw beyondScopes(caller, missing);
      throw new Forbidden(
        "permission_missing",
        `Your roles do not permit the tool "${name}". It needs tool:use, and tool:approve if it ` +
          "is destructive. Ask an administrator.",
      );
    },
  };
}

/** Whether the tool is among those that were chosen for the API key, or for the program. */
function isChosen({ tools }: User, { server, name }: ListedTool): boolean {
  return !tools || tools.includes(server) || tools.includes(`${server}/${name}`);
}

function notChosen(name: string): Forbidden {
  return new Forbidden(
    "tool_not_chosen",
    `The tool "${name}" is not among those that were chosen for this key or program. Use a key that ` +
      "has it, or connect the program again.",
    { params: { name } },
  );
}

/** Whether the tool destroys nothing. */
export function isHarmless({ effect }: Pick<ListedTool, "effect">): boolean {
  return effect === "read_only" || effect === "additive";
}
