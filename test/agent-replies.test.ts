import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type AgentBody,
  type AgentsServer,
  startAgentsServer,
} from "./support/agents-server.ts";
import { startTestServer } from "./support/server.ts";

let server: AgentsServer;
beforeAll(async () => {
  server = await startAgentsServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.provider.answer(() => ({ text: ["Hello"] })));

/** A service that runs alone does not create any. */
const SECRETS = Object.fromEntries(
  [
    "MCP_SERVICE_SECRET",
    "COMPLETION_SERVICE_SECRET",
    "USER_SERVICE_SECRET",
    "SERVICE_SECRET",
    "ENCRYPTION_KEY",
  ].map((name) => [name, randomBytes(32).toString("base64")]),
);

test.each([
  [{ type: "cortex" }, "retrieval_unavailable"],
  [{ type: "workflow", flowId: "flow" }, "flows_unavailable"],
])(
  "an agent whose service does not run here says so and answers nothing: %j",
  async (fields, code) => {
    await using small = await startTestServer(SECRETS, [
      "users",
      "core",
      "agent",
      "tool-gateway",
      "completion",
    ]);
    const made = (await (
      await small.request("/api/v1/agent", {
        body: { name: "Stands on others", ...fields },
      })
    ).json()) as {
      id: string;
    };
    const answer = await small.request("/api/v1/conversation", {
      body: { content: "hello", agentId: made.id },
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      503,
      code,
    ]);
    expect(answer.headers.get("retry-after")).toBe("60");
    const history = (await (
      await small.request("/api/v1/conversation/chat-history")
    ).json()) as {
      total: number;
    };
    expect(history.total).toBe(0);
  },
);

test("an agent answers with its instructions, model and temperature, stays with its conversation, and its version is stored with the message", async () => {
  const agent = await server.make({
    instructions: "Talk like a pirate.",
    model: "openai/gpt-other",
    temperature: 0.2,
    parameters: { topP: 0.9, seed: 7, stop: ["Ahoy!"], reasoningEffort: "low" },
  });
  const first = await server.talk({ agentId: agent.id, instructions: "Be brief." });
  const asked = server.provider.requests.find(({ messages }) =>
    JSON.stringify(messages).includes("pirate"),
  );
  expect(asked).toMatchObject({
    model: "gpt-other",
    temperature: 0.2,
    top_p: 0.9,
    seed: 7,
    stop: ["Ahoy!"],
    reasoning_effort: "low",
  });
  expect(asked?.messages[0]).toEqual({
    role: "system",
    content: "Talk like a pirate.\n\nBe brief.",
  });
  await server.ask("PATCH", `/${agent.id}`, {
    body: { instructions: "Talk like a poet." },
  });
  await server.talk({ conversationId: first.body.conversationId });
  await server.talk({ conversationId: first.body.conversationId, agentId: null });
  const whole = (await (
    await server.parlance.request(`/api/v1/conversation/${first.body.conversationId}`, {
      token: server.ada,
    })
  ).json()) as {
    agentId: unknown;
    messages: AgentBody[];
  };
  expect(whole.agentId).toBeNull();
  expect(
    whole.messages
      .filter(({ role }) => role === "assistant")
      .map(({ agentId, agentVersion }) => [agentId, agentVersion]),
  ).toEqual([
    [agent.id, 1],
    [agent.id, 2],
    [null, null],
  ]);
  expect(
    server.provider.requests.filter(({ messages }) =>
      JSON.stringify(messages).includes("poet"),
    ),
  ).toHaveLength(1);
});

test("two versions of an agent answer the same question", async () => {
  const agent = await server.make({ instructions: "Talk like a pirate." });
  await server.ask("PATCH", `/${agent.id}`, {
    body: { instructions: "Talk like a poet." },
  });
  server.provider.requests.length = 0;
  const old = await server.talk({ agentId: agent.id, agentVersion: 1 });
  const { conversationId, messageId } = old.body;
  await server.parlance.request(`/api/v1/conversation/${conversationId}/regenerate`, {
    token: server.ada,
    body: { messageId, agentId: agent.id, agentVersion: 2, stream: false },
  });
  const asked = server.provider.requests.map(({ messages }) => messages[0]?.content);
  expect(asked).toEqual(
    expect.arrayContaining(["Talk like a pirate.", "Talk like a poet."]),
  );
  const whole = (await (
    await server.parlance.request(`/api/v1/conversation/${conversationId}`, {
      token: server.ada,
    })
  ).json()) as { messages: AgentBody[] };
  const answers = whole.messages.filter(({ role }) => role === "assistant");
  expect(answers.map(({ agentVersion }) => agentVersion)).toEqual([1, 2]);
  const unknown = await server.talk({ agentId: agent.id, agentVersion: 9 });
  expect([unknown.status, unknown.body.code]).toEqual([404, "version_not_found"]);
});

test("a conversation whose agent was deleted says so, and continues with another agent or none", async () => {
  const agent = await server.make({ name: "Short-lived" });
  const { body: first } = await server.talk({ agentId: agent.id });
  await server.ask("DELETE", `/${agent.id}`);
  const conversationId = first.conversationId;
  const gone = {
    status: 409,
    body: { code: "agent_gone", details: { agentId: agent.id } },
  };
  expect(await server.talk({ conversationId })).toMatchObject(gone);
  const again = async (more: object) => {
    const response = await server.parlance.request(
      `/api/v1/conversation/${conversationId}/regenerate`,
      {
        token: server.ada,
        body: { messageId: first.messageId, stream: false, ...more },
      },
    );
    return { status: response.status, body: (await response.json()) as object };
  };
  expect(await again({})).toMatchObject(gone);
  expect((await again({ agentId: null })).status).toBe(200);
  const other = await server.make({ name: "Heir" });
  expect((await server.talk({ conversationId, agentId: other.id })).status).toBe(200);
  expect((await server.talk({ conversationId })).status).toBe(200);
  // an explicitly named agent is not the one that answered before
  expect(await server.talk({ agentId: agent.id })).toMatchObject({
    status: 404,
    body: { code: "agent_not_found" },
  });
});
