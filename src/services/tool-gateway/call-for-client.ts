import type { CallToolResult } from "@modelcontextprotocol/server";
import { isTask } from "./created-task.ts";
import { type Gateway, toolNotFound } from "./gateway.ts";
import { exchange, type McpEra, takesTasks } from "./mcp-inputs.ts";
import type { McpRequest, RequestContext } from "./mcp-request.ts";
import type { Run } from "./mcp-run.ts";
import type { StateSeal } from "./request-state.ts";
import { sealTask } from "./task-seal.ts";
import { toErrorResult } from "./to-client.ts";

interface Deps {
  gateway: Gateway;
  states: StateSeal;
}

interface Call {
  /** What the client calls the tool. */
  name: string;
  args: Record<string, unknown>;
  context: RequestContext;
  era: McpEra;
  run: Run;
}

/**
 * Calls a tool for a client of MCP.
 * @throws ProtocolError for what no model can mend.
 */
export function callForClient(
  { gateway, states }: Deps,
  { caller, tools, offer }: McpRequest,
  { name: named, args, context, era, run }: Call,
): Promise<CallToolResult> {
  return run(context, async (options) => {
    try {
      const isListed = () => offer.entries().some((one) => offer.nameOf(one) === named);
      // its server has just connected
      if (!isListed()) await gateway.settled();
      const name = offer.find(named);
      const all = offer.list();
      const holder = all.find((one) => one.name === name)?.server;
      // one that is listed after the check is not permitted by it
      if (holder === undefined) throw toolNotFound(name);
      await tools.check(name, all);
      const of = { caller, server: holder, target: name };
      const follows = takesTasks(context, era);
      const result = await exchange({ context, era, seal: states, of }, (inputs) =>
        gateway.call(name, args, { ...options, inputs, takesTasks: follows }),
      );
      const isTheirs = isTask(result);
      const task = isTheirs && { server: holder, tool: name, taskId: result.taskId };
      // the result of an MCP server has the same schema
      return (
        task ? { ...result, taskId: sealTask(states, caller, task) } : result
      ) as CallToolResult;
    } catch (error) {
      return toErrorResult(error);
    }
  });
}
