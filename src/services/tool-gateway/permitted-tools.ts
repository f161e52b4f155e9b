import type { Caller } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import type { ListedTool } from "./contract.ts";

/** The tools that a caller of `/mcp` may run. */
export interface PermittedTools {
  filter(tools: readonly ListedTool[]): Promise<ListedTool[]>;
  /** @throws Forbidden `permission_missing`. */
  check(name: string, tools: readonly ListedTool[]): Promise<void>;
}

/**
 * Services may run every tool. A user needs `tool:use`, and for a destructive tool `tool:approve`,
 * because no approval is asked for here.
 */
export function permittedTools(guard: Guard, caller: Caller): PermittedTools {
  if (caller.kind !== "user")
    return { filter: async (tools) => [...tools], check: async () => {} };
  const isPermitted = async (tool: ListedTool) => {
    const fields = { tool: tool.name };
    if (!(await guard.allows("tool:use", caller, fields))) return false;
    return isHarmless(tool) || guard.allows("tool:approve", caller, fields);
  };
  return {
    async filter(tools) {
      const permitted = await Promise.all(tools.map(isPermitted));
      return tools.filter((_, at) => permitted[at]);
    },
    async check(name, tools) {
      const tool = tools.find((one) => one.name === name);
      if (!tool || (await isPermitted(tool))) return;
      throw new Forbidden(
        "permission_missing",
        `Your roles do not permit the tool "${name}". It needs tool:use, and tool:approve if it ` +
          "is destructive. Ask an administrator.",
      );
    },
  };
}

/** Whether the tool destroys nothing. */
export function isHarmless({ effect }: Pick<ListedTool, "effect">): boolean {
  return effect === "read_only" || effect === "additive";
}
