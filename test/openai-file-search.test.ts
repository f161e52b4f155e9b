import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** The hosted tool `file_search`, with the unchanged official client. */
let client: OpenAI;
let parlance: TestServer;
let provider: ScriptedProvider;
let storeId: string;
let fileId: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer(settingsOf(provider));
  client = clientOf(parlance.token);
  ({ id: storeId } = await client.vectorStores.create({ name: "harbour" }));
  const file = await toFile(Buffer.from("The harbour opens at nine."), "harbour.txt");
  const polling = { pollIntervalMs: 20 };
  ({ id: fileId } = await client.vectorStores.files.uploadAndPoll(storeId, file, polling));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const clientOf = (apiKey: string) =>
  new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 });
const model = "openai/gpt-test";
const usage = { inputTokens: 10, outputTokens: 2 };
const search = (queries: unknown) => ({
  toolCalls: [{ id: "call_1", name: "file_search", arguments: { queries } }],
  usage,
});
/** Searches once, then answers. */
const answerBySearch = (text: string[], queries: unknown = ["harbour opens"]) =>
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool" ? { text, usage } : search(queries),
  );
const lastResult = () => JSON.stringify(provider.requests.at(-1)?.messages.at(-1));

test("searches a store, cites its files, and shows what was found where asked", async () => {
  answerBySearch(["At nine ", "【1", "】. Not eight【7】."]);
  const response = await client.responses.create({
    model,
    input: "When does it open?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
    include: ["file_search_call.results"],
  });
  expect(lastResult()).toContain("The harbour opens at nine.");
  expect(response.output_text).toBe("At nine. Not eight.");
  expect(response.output).toMatchObject([
    {
      type: "file_search_call",
      status: "completed",
      queries: ["harbour opens"],
      results: [
        { file_id: fileId, filename: "harbour.txt", text: "The harbour opens at nine." },
      ],
    },
    {
      type: "message",
      content: [
        {
          annotations: [
            { type: "file_citation", index: 7, file_id: fileId, filename: "harbour.txt" },
          ],
        },
      ],
    },
  ]);
  expect(response.usage?.input_tokens).toBe(20);

  provider.answer(() => ({ text: ["As I said."], usage }));
  const next = await client.responses.create({
    model,
    input: "Sure?",
    previous_response_id: response.id,
  });
  expect(next.output_text).toBe("As I said.");
});

test("streams the search and its citation as events", async () => {
  answerBySearch(["At nine 【1】."]);
  const stream = await client.responses.create({
    model,
    input: "When?",
    stream: true,
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
    tool_choice: { type: "file_search" },
  });
  const types: string[] = [];
  let text = "";
  for await (const event of stream) {
    if (types.at(-1) !== event.type) types.push(event.type);
    if (event.type === "response.output_text.delta") text += event.delta;
    if (event.type === "response.completed")
      expect(event.response.output[0]).toMatchObject({ results: null });
  }
  expect(text).toBe("At nine.");
  expect(types).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.file_search_call.in_progress",
    "response.file_search_call.searching",
    "response.file_search_call.completed",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.annotation.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
});

test("without a store it searches the caller's documents, and of nobody else", async () => {
  answerBySearch(["Done."]);
  const asked = {
    model,
    input: "When?",
    tools: [{ type: "file_search" } as OpenAI.Responses.FileSearchTool],
  };
  await client.responses.create(asked);
  expect(lastResult()).toContain("at nine");
  const { token } = await newPerson(parlance, "stranger");
  const stranger = clientOf(token);
  await stranger.responses.create(asked);
  expect(lastResult()).toContain("Nothing was found");
  const foreign = stranger.responses.create({
    ...asked,
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  await expect(foreign).rejects.toMatchObject({ status: 404 });
});

test("calls of the client's own tools go to the client, beside a search", async () => {
  provider.answer(() => ({
    toolCalls: [
      { id: "call_1", name: "file_search", arguments: { queries: ["harbour"] } },
      { id: "call_2", name: "weather", arguments: {} },
    ],
    usage,
  }));
  const response = await client.responses.create({
    model,
    input: "When, and how is the weather?",
    tools: [
      { type: "file_search", vector_store_ids: [storeId] },
      { type: "function", name: "weather", parameters: { type: "object" }, strict: false },
    ],
  });
  expect(response.output.map(({ type }) => type)).toEqual([
    "function_call",
    "file_search_call",
  ]);
});

test("a model that only searches is asked at last without the search", async () => {
  provider.answer((_, { tools }) =>
    (tools ?? []).length > 0 ? search(["harbour"]) : { text: ["Enough."], usage },
  );
  const response = await client.responses.create({
    model,
    input: "When?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  expect(response.output_text).toBe("Enough.");
  const searches = response.output.filter(({ type }) => type === "file_search_call");
  expect(searches).toHaveLength(8);
});

test("a model that searches without being offered it ends all the same", async () => {
  provider.answer(() => search(["harbour"]));
  const response = await client.responses.create({
    model,
    input: "When?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  const searches = response.output.filter(({ type }) => type === "file_search_call");
  expect(searches).toHaveLength(8);
});

test("of many searches in one turn four run, and the model reads that the others did not", async () => {
  const toolCalls = Array.from({ length: 6 }, (_, at) => ({
    id: `call_${at}`,
    name: "file_search",
    arguments: { queries: [`harbour ${at}`] },
  }));
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool" ? { text: ["Done."], usage } : { toolCalls, usage },
  );
  const response = await client.responses.create({
    model,
    input: "When?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  expect(response.output.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 4 }, () => "file_search_call"),
    "message",
  ]);
  expect(lastResult()).toContain("did not run");
});

test("a filter without a store is refused, because it would exclude nothing", async () => {
  const asked = client.responses.create({
    model,
    input: "When?",
    tools: [
      {
        type: "file_search",
        filters: { type: "eq", key: "year", value: 2024 },
      } as unknown as OpenAI.Responses.FileSearchTool,
    ],
  });
  await expect(asked).rejects.toMatchObject({
    status: 400,
    code: "attributes_without_folders",
  });
});

test("a key without the scope for it does not search", async () => {
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "chat only", scopes: ["conversation:create", "model:read"] },
  });
  const { key } = (await made.json()) as { key: string };
  const asked = clientOf(key).responses.create({
    model,
    input: "When?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  await expect(asked).rejects.toMatchObject({ status: 403 });
});

test("a search with wrong arguments is said to the model", async () => {
  answerBySearch(["Sorry."], "harbour");
  const response = await client.responses.create({
    model,
    input: "When?",
    tools: [{ type: "file_search", vector_store_ids: [storeId] }],
  });
  expect(response.output_text).toBe("Sorry.");
  expect(lastResult()).toContain("queries must be");
});
