import type { Caller } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import type { ListedTool } from "./contract.ts";

/** The tools that a caller of `/mcp` may run. */
export interface PermittedTools {
  among(tools: readonly ListedTool[]): Promise<ListedTool[]>;
  /** @throws Forbidden `permission_missing`. */
  check(name: string, tools: readonly ListedTool[]): Promise<void>;
}

/**
 * Services may run all. A user needs `tool:use`, and `tool:approve` for tools that are not known to
 * be harmless, since nobody is asked here before they run.
 */
export function permittedTools(guard: Guard, caller: Caller): PermittedTools {
  if (caller.kind !== "user") return { among: async (tools) => [...tools], check: async () => {} };
  const mayUse = async (tool: ListedTool) =>
    (await guard.allows("tool:use", caller, { tool: tool.name })) &&
    (isHarmless(tool) || (await guard.allows("tool:approve", caller, { tool: tool.name })));
  return {
    async among(tools) {
      const permitted = await Promise.all(tools.map(mayUse));
      return tools.filter((_, at) => permitted[at]);
    },
    async check(name, tools) {
      const tool = tools.find((one) => one.name === name);
      if (!tool || (await mayUse(tool))) return;
      throw new Forbidden(
        "permission_missing",
        `You may not run the tool "${name}" here (tool:use, and tool:approve where it may change things).`,
      );
    },
  };
}

function isHarmless({ effect }: ListedTool): boolean {
  return effect === "read_only" || effect === "additive";
}
