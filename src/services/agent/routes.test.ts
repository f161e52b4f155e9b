import { expect, test } from "vitest";
import type { Caller } from "../../platform/http/caller.ts";
import { GUARD_WITHOUT_ROLES } from "../../platform/http/guard.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { CompletionRequest } from "../completion/contract.ts";
import { agentContract, RunRequest } from "./contract.ts";
import { agentRoutes } from "./routes.ts";

const ada: Caller = {
  kind: "user",
  userId: "ada",
  email: "",
  name: "",
  roles: [],
  clientId: "default",
  via: "jwt",
};

/** What the completion service is told of what a run is for. */
async function toldFor(
  caller: Caller,
  context: RunRequest["context"],
): Promise<CompletionRequest["context"]> {
  const asked: CompletionRequest[] = [];
  const routes = agentRoutes({
    async *complete(request) {
      asked.push(request);
      yield [
        {
          type: "message",
          content: "Yes",
          toolCalls: [],
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1 },
        },
      ];
    },
    listTools: async () => [],
    callTool: async () => ({ content: [] }),
    admit: async () => [],
    guard: GUARD_WITHOUT_ROLES,
    runTimeoutMs: 60_000,
  });
  const body = RunRequest.parse({
    model: "m",
    messages: [{ role: "user", content: "?" }],
    stream: false,
    context,
  });
  const [run] = routes.of(agentContract);
  const request = new Request("http://parlance.internal/");
  const { signal } = new AbortController();
  const ask = { body, caller, request, signal, requestId: "r", log: silentLog(), peer: "" };
  await run?.handler(ask);
  return asked[0]?.context;
}

test("what a run is for is told on as it came; a user's is his, whomever he names, and no agent's", async () => {
  const context = { userId: "bob", conversationId: "c", agentId: "a", project: "p" };
  expect(await toldFor({ kind: "service" }, context)).toEqual(context);
  expect(await toldFor(ada, context)).toEqual({ userId: "ada", conversationId: "c", project: "p" });
  expect(await toldFor(ada, undefined)).toEqual({ userId: "ada" });
});
