import fc from "fast-check";
import { expect, test } from "vitest";
import { withUniqueCallIds } from "./call-ids.ts";
import type { CompletionEvent, Message } from "./contract.ts";
import type { ProviderCall } from "./provider-client.ts";

/** What a provider is sent for these messages, and the ids that its calls get. */
async function play(messages: Message[], model: string, answered: string[] = []) {
  let sent: Message[] = [];
  const client = withUniqueCallIds(async function* (call) {
    sent = call.request.messages;
    yield answered.map((id): CompletionEvent => ({
      type: "tool_call",
      id,
      name: "f",
      arguments: {},
    }));
  });
  const call = { request: { model, messages, stream: true }, model } as ProviderCall; // it reads these
  const ids: string[] = [];
  for await (const events of client(call))
    for (const event of events) if (event.type === "tool_call") ids.push(event.id);
  return { sent, ids };
}

const turn = (ids: string[]): Message[] => [
  {
    role: "assistant",
    content: "",
    toolCalls: ids.map((id) => ({ id, type: "tool_call", name: "f", arguments: {} })),
  },
  ...ids.map((id, at): Message => ({ role: "tool", toolCallId: id, content: `${at}` })),
];

const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }),
  fc.constantFrom("call_0", "functions.f:0", "1", "D681PevKs"),
);
const thread = fc.array(fc.array(id, { minLength: 1, maxLength: 4 }), { maxLength: 5 });

test.each([
  ["gpt-5", /^[a-zA-Z0-9_-]{1,40}$/],
  ["mistral-large", /^[a-zA-Z0-9]{9}$/],
])(
  "ids are those that %s accepts, each once, and results keep their calls",
  async (model, pattern) => {
    await fc.assert(
      fc.asyncProperty(thread, async (turns) => {
        const { sent } = await play(turns.flatMap(turn), model);
        const calls = sent.flatMap(({ toolCalls = [] }) => toolCalls.map((one) => one.id));
        expect(new Set(calls).size).toBe(calls.length);
        for (const one of calls) expect(one).toMatch(pattern);
        // each result stands behind its call, in the order of the calls
        const results = sent.flatMap(({ role, toolCallId }) =>
          role === "tool" ? [toolCallId] : [],
        );
        expect(results).toEqual(calls);
      }),
    );
  },
);

test("the same thread is sent with the same ids, so that the provider's cache holds", async () => {
  const messages = [turn(["functions.f:0"]), turn(["functions.f:0"])].flat();
  const [once, again] = [await play(messages, "m"), await play(messages, "m")];
  expect(once.sent).toEqual(again.sent);
});

test("ids that a provider accepts stay", async () => {
  const messages = turn(["call_abc", "toolu_1"]);
  expect((await play(messages, "m")).sent).toEqual(messages);
});

test("a call with an id of the thread, or of its turn, gets another one", async () => {
  const { ids } = await play(turn(["call_0"]), "m", ["call_0", "call_0", "new"]);
  expect(ids).toEqual(["call_0_2", "call_0_3", "new"]);
});
