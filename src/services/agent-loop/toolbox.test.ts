import { expect, test } from "vitest";
import type { ListedTool } from "../tool-gateway/contract.ts";
import { RunRequest } from "./contract.ts";
import { openToolbox } from "./toolbox.ts";

const tool = (name: string): ListedTool => ({
  name,
  server: "town",
  description: name,
  inputSchema: { type: "object" },
});

test("tools stand in the same order, whichever server answered first, so that what is cached stays", async () => {
  const names = ["look", "zoom", "ask", "find"];
  const orderOf = async (listed: readonly string[]) => {
    const deps = {
      gateway: async () => Response.error(),
      listTools: async () => listed.map(tool),
      core: undefined,
      gatewayTimeoutMs: 1_000,
      runTimeoutMs: 1_000,
    };
    const messages = [{ role: "user", content: "?" }];
    const platformTools = { sessionId: crypto.randomUUID(), tools: [tool("write")] };
    const request = RunRequest.parse({ model: "m", messages, tools: names, platformTools });
    const { tools } = await openToolbox(deps, request, AbortSignal.timeout(5_000));
    return tools.map(({ name }) => name);
  };
  const first = await orderOf(names);
  expect(first).toEqual(["write", "ask", "find", "look", "zoom"]);
  expect(await orderOf(names.toReversed())).toEqual(first);
});
