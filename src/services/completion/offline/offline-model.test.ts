import { expect, test } from "vitest";
import { openOutgoing } from "../../../platform/outgoing/open-outgoing.ts";
import { providerEnvironment, providersFromEnvironment } from "../contract-environment.ts";
import { CompletionRequest, type Message } from "../contract.ts";
import { collectMessage } from "../collect-message.ts";
import { offlineModel } from "./offline-model.ts";

const OFFLINE_MODEL = "offline/parlance-offline";
const TOOLS = [
  { name: "add", description: "", inputSchema: {} },
  { name: "add_note", description: "", inputSchema: {} },
];

async function reply(messages: Message[], more: object = {}) {
  await using outgoing = openOutgoing({ allow: [], own: () => [] });
  const request = CompletionRequest.parse({ model: OFFLINE_MODEL, messages, ...more });
  const message = await collectMessage(
    offlineModel({
      request,
      model: "parlance-offline",
      maxOutputTokens: undefined,
      config: {},
      endpoints: outgoing,
      outgoing,
      timeoutMs: 1_000,
      onSend: () => {},
      signal: new AbortController().signal,
    }),
  );
  if (message.type !== "message") throw new Error(`a ${message.type} is no whole reply`);
  return message;
}

test("says that it is the offline model, and quotes the user", async () => {
  const { content, finishReason } = await reply([
    { role: "user", content: "Where is Rome?" },
  ]);
  expect(content).toContain("not a language model");
  expect(content).toContain("Where is Rome?");
  expect(finishReason).toBe("stop");
});

test("calls the tool that the user names, with the JSON in the message", async () => {
  const { toolCalls, finishReason } = await reply(
    [{ role: "user", content: 'use the tool add_note with {"text": "milk"}' }],
    {
      tools: TOOLS,
    },
  );
  expect(toolCalls).toMatchObject([{ name: "add_note", arguments: { text: "milk" } }]);
  expect(finishReason).toBe("tool_calls");
});

test("obeys tool_choice", async () => {
  expect(
    (
      await reply([{ role: "user", content: "hello" }], {
        tools: TOOLS,
        toolChoice: "required",
      })
    ).toolCalls,
  ).toHaveLength(1);
  expect(
    (
      await reply([{ role: "user", content: "use add" }], {
        tools: TOOLS,
        toolChoice: "none",
      })
    ).toolCalls,
  ).toEqual([]);
});

test("quotes the result of a tool", async () => {
  const { content, toolCalls } = await reply(
    [
      { role: "user", content: "use add" },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "c1", type: "tool_call", name: "add", arguments: {} }],
      },
      { role: "tool", toolCallId: "c1", content: "the sum is 5" },
    ],
    { tools: TOOLS },
  );
  expect(content).toContain("> the sum is 5");
  expect(toolCalls).toEqual([]);
});

test("the environment configures providers and models, and the offline model is always present", () => {
  const env = providerEnvironment.parse({
    OPENAI_API_KEY: "sk-1",
    OPENAI_MODELS: "one, two",
    OLLAMA_BASE_URL: "http://127.0.0.1:11434",
  });
  const { providers, availableModels } = providersFromEnvironment(env);
  expect(providers.map(({ name }) => name)).toEqual(["openai", "ollama", "offline"]);
  expect(availableModels.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["openai/one", "openai/two", OFFLINE_MODEL]),
  );
  const keyless = providerEnvironment.parse({
    OPENAI_BASE_URL: "http://127.0.0.1:8000/v1",
    OPENAI_MODELS: "local",
  });
  expect(providersFromEnvironment(keyless)).toMatchObject({
    providers: [
      {
        name: "openai",
        kind: "openai-compatible",
        config: { baseUrl: "http://127.0.0.1:8000/v1" },
      },
      {},
    ],
    availableModels: [{ id: "openai/local" }, {}],
  });
  expect(
    providersFromEnvironment(providerEnvironment.parse({})).providers.map(
      ({ name }) => name,
    ),
  ).toEqual(["offline"]);
});
