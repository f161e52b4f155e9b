import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { flowAsks } from "./support/flow-server.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";

/**
 * Tests the integration with a real Langflow: `npm run check:langflow` starts one and runs this
 * file. Skipped without LANGFLOW_URL. Each test continues from the one before, and the last ones
 * restart the server.
 */
const url = process.env["LANGFLOW_URL"] ?? "";
const adminKey = process.env["LANGFLOW_ADMIN_API_KEY"] ?? "";
const SERVER_START_MS = 300_000;
const ECHO = {
  nodes: [
    { id: "ChatInput-echo1", type: "ChatInput" },
    { id: "ChatOutput-echo1", type: "ChatOutput" },
  ],
  edges: [
    {
      source: "ChatInput-echo1",
      source_output: "message",
      target: "ChatOutput-echo1",
      target_input: "input_value",
    },
  ],
};
/** A component that returns its words one by one, as a language model does. */
const WORDS = `
from langchain_core.messages import AIMessageChunk
from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message

class Words(Component):
    display_name = "Words"
    name = "Words"
    inputs = [MessageTextInput(name="input_value", display_name="Input")]
    outputs = [Output(display_name="Message", name="message", method="words")]

    def words(self) -> Message:
        async def each():
            for word in self.input_value.split(" "):
                yield AIMessageChunk(content=word + " ")
        return Message(text=each(), sender="Machine", sender_name="AI", session_id=self.graph.session_id)
`;

describe.skipIf(url === "")("a real Langflow", () => {
  let parlance: TestServer;
  let anne: { id: string; token: string };
  let bert: { id: string; token: string };
  let flowId = "";
  let agentId = "";
  beforeAll(async () => {
    parlance = await startTestServer({
      FLOWENGINE_BASE_URL: url,
      FLOWENGINE_ADMIN_API_KEY: adminKey,
      FLOWENGINE_TIMEOUT: "60000",
    });
    [anne, bert] = [await newPerson(parlance, "anne"), await newPerson(parlance, "bert")];
  }, SERVER_START_MS);
  afterAll(() => parlance[Symbol.asyncDispose]());

  const core = askBelow(() => parlance, "/api/v1");
  const { flows, integrations, grant, revoke, run } = flowAsks(() => parlance);
  const script = (...words: string[]) => promisify(execFile)("scripts/langflow", words);
  /** Returns a graph of the server's own components, whose code it is asked for. */
  const graph = async (): Promise<{
    nodes: { id: string; data: { type: string; node: Record<string, unknown> } }[];
    edges: object[];
  }> => {
    const response = await fetch(`${url}/api/v1/flows/expand/`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": adminKey },
      body: JSON.stringify(ECHO),
    });
    return response.json() as ReturnType<typeof graph>;
  };
  const say = async (token: string, content: string, more: object = {}) =>
    eventsOf(
      await parlance.request("/api/v1/conversation", {
        token,
        body: { content, agentId, ...more },
      }),
    );

  test("is healthy, and its version is accepted", async () => {
    const health = async () =>
      (await integrations("GET", "/flowengine/health", { token: null })).body;
    await vi.waitFor(
      async () => expect(await health()).toMatchObject({ status: "up" }),
      60_000,
    );
  }, 90_000);

  test("creates one account and signs in once for many first requests", async () => {
    const asks = Array.from({ length: 20 }, () =>
      integrations("POST", "/flowengine/tokens", { token: anne.token }),
    );
    for (const { status, text } of await Promise.all(asks))
      expect([status, text]).toEqual([200, expect.any(String)]);
    const made = (await integrations("POST", "/flowengine/account", { token: anne.token }))
      .body;
    expect(made).toEqual({
      provider: "flowengine",
      username: `parlance-${anne.id}`,
      created: false,
    });
    expect(
      (await flows("POST", "/tokens/refresh", { token: anne.token })).body,
    ).toMatchObject({
      refreshed: true,
    });
  }, 120_000);

  test("creates a flow, lists it and runs it, whole and streamed", async () => {
    const made = await flows("POST", "/flows", {
      token: anne.token,
      body: { name: "Echo", description: "says it again", data: await graph() },
    });
    expect(made.status).toBe(201);
    flowId = made.body.id;
    expect((await flows("GET", "/flows", { token: anne.token })).body.items).toMatchObject([
      { id: flowId, name: "Echo", owned: true },
    ]);
    expect((await flows("GET", `/${flowId}`, { token: anne.token })).body).toMatchObject({
      data: { nodes: [{}, {}] },
    });
    expect((await run(anne.token, flowId, { input: "Grüße aus Köln" })).body).toMatchObject(
      {
        output: "Grüße aus Köln",
      },
    );
    const streamed = await eventsOf(
      await parlance.request(`/api/v1/flowengine/${flowId}/run`, {
        token: anne.token,
        body: { input: "again", stream: true },
      }),
    );
    expect(streamed.map(({ event }) => event)).toEqual(["text_delta", "done"]);
  }, 120_000);

  test("answers in a conversation of users with a grant, until it is revoked", async () => {
    agentId = (
      await core("POST", "/agent", {
        token: bert.token,
        body: { name: "Echo", type: "workflow", flowId },
      })
    ).body.id;
    expect((await say(bert.token, "hello")).at(-1)).toMatchObject({
      event: "error",
      data: { code: "flow_not_found" },
    });
    expect((await grant(bert.id, flowId)).status).toBe(201);
    const events = await say(bert.token, "hello there");
    expect(
      events.filter(({ event }) => event === "text_delta").map(({ data }) => data["delta"]),
    ).toEqual(["hello there"]);
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { content: "hello there" },
    });
    expect((await revoke({ userIds: [bert.id], flowId })).body).toMatchObject({
      success: true,
    });
    expect((await say(bert.token, "hello")).at(-1)).toMatchObject({
      event: "error",
      data: { code: "flow_not_found" },
    });
  }, 120_000);

  test("streams the words of a flow as they arrive", async () => {
    const { nodes, edges } = await graph();
    const [input, output] = nodes;
    const words = structuredClone(input);
    if (!input || !output || !words) throw new Error("the server made no graph");
    const answer = await fetch(`${url}/api/v1/custom_component`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": adminKey },
      body: JSON.stringify({ code: WORDS }),
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: Record<string, unknown> };
    Object.assign(words, {
      id: "Words-w1",
      data: { id: "Words-w1", type: "Words", node: data },
    });
    const named = JSON.stringify(edges[0]);
    const toWords = JSON.parse(named.replaceAll("ChatOutput-echo1", "Words-w1")) as {
      data?: { targetHandle?: { inputTypes?: string[]; type?: string } };
    };
    const fromWords = JSON.parse(
      named
        .replaceAll("ChatInput-echo1", "Words-w1")
        .replaceAll('"ChatInput"', '"Words"')
        .replaceAll("œChatInputœ", "œWordsœ"),
    ) as object;
    const made = await flows("POST", "/flows", {
      token: anne.token,
      body: {
        name: "Words",
        data: { nodes: [input, words, output], edges: [toWords, fromWords] },
      },
    });
    expect(made.status).toBe(201);
    const streamed = await eventsOf(
      await parlance.request(`/api/v1/flowengine/${made.body.id}/run`, {
        token: anne.token,
        body: { input: "one two three four", stream: true },
      }),
    );
    expect(streamed.at(-1)).toMatchObject({ event: "done" });
    const deltas = streamed
      .filter(({ event }) => event === "text_delta")
      .map(({ data: { delta } }) => delta);
    expect(deltas.join("").trim()).toBe("one two three four");
    expect(deltas.length).toBeGreaterThan(2);
  }, 120_000);

  test("accepts a file with a run, and deletes it", async () => {
    const form = new FormData();
    form.append("file", new File(["what the file says"], "a note.txt"));
    const uploaded = await fetch(`${parlance.url}/api/v1/documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${anne.token}` },
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    expect(
      (await run(anne.token, flowId, { input: "with a file", files: [id] })).body,
    ).toMatchObject({
      output: expect.stringContaining("with a file") as string,
    });
  }, 120_000);

  test("distinguishes a flow that fails from one that does not exist", async () => {
    const { nodes, edges } = await graph();
    const broken = JSON.parse(
      JSON.stringify({ nodes, edges }).replaceAll(
        "class ChatInput(",
        "class ChatInput(NoSuchBase, ",
      ),
    ) as object;
    const made = await flows("POST", "/flows", {
      token: anne.token,
      body: { name: "Broken", data: broken },
    });
    const failed = await run(anne.token, made.body.id);
    expect([failed.status, failed.body.code]).toEqual([502, "flow_failed"]);
    expect((await run(anne.token, "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0")).body.code).toBe(
      "flow_not_found",
    );
  }, 120_000);

  test(
    "goes on after it was restarted",
    async () => {
      await script("down");
      expect((await run(anne.token, flowId)).status).toBe(503);
      await script("up");
      expect((await run(anne.token, flowId)).body).toMatchObject({ output: "hello" });
    },
    SERVER_START_MS,
  );

  test(
    "gets its accounts again after its database was lost",
    async () => {
      await script("wipe");
      await script("up");
      expect((await run(anne.token, flowId)).body.code).toBe("flow_not_found");
      const made = await flows("POST", "/flows", {
        token: anne.token,
        body: { name: "Echo", data: await graph() },
      });
      expect((await run(anne.token, made.body.id)).body).toMatchObject({ output: "hello" });
    },
    SERVER_START_MS,
  );
});
