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
const answer = {
  type: "message" as const,
  content: "Yes",
  toolCalls: [],
  finishReason: "stop" as const,
  usage: { inputTokens: 1, outputTokens: 1 },
};

/** The requests that the completion service and the toolbox receive for a run. */
async function run(caller: Caller, more: Partial<RunRequest>) {
  let completion: CompletionRequest | undefined;
  let opened: RunRequest | undefined;
  const routes = agentRoutes({
    async *complete(request) {
      completion = request;
      yield [answer];
    },
    async openToolbox(request) {
      opened = request;
      return { tools: [], call: async () => ({ content: "", isError: false }) };
    },
    admit: async () => [],
    guard: GUARD_WITHOUT_ROLES,
    runTimeoutMs: 60_000,
  });
  const messages = [{ role: "user", content: "?" }];
  const body = RunRequest.parse({ model: "m", messages, stream: false, ...more });
  const [route] = routes.of(agentContract);
  const request = new Request("http://parlance.internal/");
  const { signal } = new AbortController();
  const input = {
    body,
    caller,
    callerNow: () => caller,
    request,
    signal,
    requestId: "r",
    log: silentLog(),
    peer: "",
  };
  await route?.handler(input);
  return { context: completion?.context, platformTools: opened?.platformTools };
}

test("passes on the context of a service's run, and counts a user's run for that user and no agent", async () => {
  const context = { userId: "bob", conversationId: "c", agentId: "a", project: "p" };
  expect((await run({ kind: "service" }, { context })).context).toEqual(context);
  expect((await run(ada, { context })).context).toEqual({
    userId: "ada",
    conversationId: "c",
    project: "p",
  });
  expect((await run(ada, {})).context).toEqual({ userId: "ada" });
});

test("accepts a session of platform tools only from services", async () => {
  const platformTools = { sessionId: crypto.randomUUID(), tools: [] };
  expect((await run({ kind: "service" }, { platformTools })).platformTools).toEqual(
    platformTools,
  );
  expect((await run(ada, { platformTools })).platformTools).toBeUndefined();
});
