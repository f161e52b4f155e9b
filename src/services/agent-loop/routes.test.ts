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
async function run(caller: Caller, more: Partial<RunRequest>, guard = GUARD_WITHOUT_ROLES) {
  let completion: CompletionRequest | undefined;
  let opened: RunRequest | undefined;
  const routes = agentRoutes({
    async *complete(request) {
      completion = request;
      yield [answer];
    },
    async openToolbox(request) {
      opened = request;
      return {
        tools: [],
        missing: [],
        call: async () => ({ content: "", isError: false }),
      };
    },
    admit: async () => ({ budgets: [] }),
    guard,
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

test("tools run without approval only for users who approve and administer tools", async () => {
  const rights = (...granted: string[]) => ({
    ...GUARD_WITHOUT_ROLES,
    allows: async (permission: string) => granted.includes(permission),
  });
  const approver = rights("tool:approve");
  const unasked = { tools: ["look"], approval: "never" as const };
  const refused = { status: 403, code: "permission_missing" };
  for (const guard of [rights(), rights("tool:administer"), approver])
    await expect(run(ada, unasked, guard)).rejects.toMatchObject(refused);
  await run(ada, { ...unasked, approval: "destructive" }, rights());
  await run(ada, { approval: "never" }, rights());
  await run(ada, unasked, rights("tool:approve", "tool:administer"));
  await run({ kind: "service" }, unasked, rights());

  const allowedTools = [{ server: "s", name: "look", fingerprint: "f" }];
  const allowed = { ...unasked, approval: "destructive" as const, allowedTools };
  await expect(run(ada, allowed, rights())).rejects.toMatchObject(refused);
  await run(ada, allowed, approver);
});
