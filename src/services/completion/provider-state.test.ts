import { expect, test } from "vitest";
import type { CompletionEvent, Message, ToolCall } from "./contract.ts";
import type { ProviderCall, ProviderClient } from "./provider-client.ts";
import { messageStateOf, withMessageState, withOwnState } from "./provider-state.ts";
import { MAX_STATE_CHARACTERS } from "./reply-limits.ts";

const call = (state?: ToolCall["state"]): ToolCall & CompletionEvent => ({
  type: "tool_call",
  id: "1",
  name: "f",
  arguments: {},
  ...(state && { state }),
});

async function answerOf(state: ToolCall["state"], origin: string) {
  const client: ProviderClient = async function* () {
    yield [call(state)];
  };
  const request = { request: { messages: [] as Message[] } } as unknown as ProviderCall; // all it reads
  for await (const [event] of withOwnState(client, origin)(request))
    if (event?.type === "tool_call") return event.state;
  return undefined;
}

async function sentTo(origin: string, state: ToolCall["state"]) {
  let sent: ToolCall | undefined;
  const client: ProviderClient = async function* ({ request }) {
    sent = request.messages[0]?.toolCalls?.[0];
    yield [];
  };
  const messages: Message[] = [
    { role: "assistant", content: "", toolCalls: [call(state)] },
  ];
  const request = { request: { messages } } as unknown as ProviderCall; // all it reads
  for await (const _ of withOwnState(client, origin)(request));
  return sent?.state;
}

test("what a model wants back goes to the same model, and to no other", async () => {
  const state = await answerOf({ call: { signature: "s" } }, "google/gemini");
  expect(state).toMatchObject({ call: { signature: "s" }, origin: "google/gemini" });
  expect(await sentTo("google/gemini", state)).toEqual(state);
  expect(await sentTo("google/gemini-flash", state)).toBeUndefined();
  expect(await sentTo("anthropic/claude", state)).toBeUndefined();
});

test("state without an origin, as anybody can send it, goes to no model", async () => {
  expect(await sentTo("google/gemini", { call: { signature: "s" } })).toBeUndefined();
});

test("more state than a request should hold is left out", async () => {
  const large = { call: { signature: "s".repeat(MAX_STATE_CHARACTERS) } };
  expect(await answerOf(large, "m")).toBeUndefined();
});

test("the state of a message stands in its first call, and nowhere without calls", () => {
  const calls = withMessageState([call(), call()], { thoughts: [1] });
  expect(messageStateOf(calls as ToolCall[])).toEqual({ thoughts: [1] });
  expect(calls[1]).toEqual(call());
  const done: CompletionEvent[] = [{ type: "text_delta", delta: "x" }];
  expect(withMessageState(done, { thoughts: [1] })).toEqual(done);
});
