import { describe, expect, test } from "vitest";
import { completionServer, lines } from "../../../test/support/completion-server.ts";
import type { Message } from "./contract.ts";

const tool = (name: string) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
});
const TOOLS = [tool("first"), tool("second")];
const call = (id: string): Message => ({
  role: "assistant",
  content: "",
  toolCalls: [{ id, type: "tool_call", name: "first", arguments: {} }],
});
const result = (id: string): Message => ({
  role: "tool",
  toolCallId: id,
  content: `of ${id}`,
});
const SYSTEM: Message = { role: "system", content: "Be brief." };
const user = (content: string): Message => ({ role: "user", content });
const said = (content: string): Message => ({ role: "assistant", content });

/** Each request of a run, which begins as the one before it. */
const RUN: Message[][] = [
  [SYSTEM, user("One")],
  [SYSTEM, user("One"), call("a"), result("a")],
  [SYSTEM, user("One"), call("a"), result("a"), call("b"), result("b")],
  [
    SYSTEM,
    user("One"),
    call("a"),
    result("a"),
    call("b"),
    result("b"),
    said("Hi"),
    user("Two"),
  ],
];

describe.each([
  [
    "anthropic",
    "anthropic",
    "claude-sonnet-4-5",
    /,?"cache_control":\{"type":"ephemeral"\}/,
  ],
  [
    "bedrock",
    "bedrock",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    /,?\{"cachePoint":\{"type":"default"\}\}/,
  ],
] as const)("requests to %s", (kind, wire, model, mark) => {
  const all = new RegExp(mark, "g");
  const send = async (bodies: object[]) => {
    const replies = [{ steps: [{ text: "Yes" }] }];
    const { ask, provider } = await completionServer({ kind, wire, model, replies });
    for (const body of bodies) await lines(await ask(body));
    return provider.requests.map(({ body }) => body as Record<string, unknown>); // JSON objects
  };
  const marksOf = (value: unknown) => JSON.stringify(value)?.match(all)?.length ?? 0;

  test("mark tools, instructions and the ends of this request and of the one before", async () => {
    const sent = await send(RUN.map((messages) => ({ messages, tools: TOOLS })));
    for (const body of sent) {
      expect(marksOf(body)).toBeLessThanOrEqual(4);
      expect(marksOf(body["system"])).toBe(1);
      if (kind === "anthropic") {
        const tools = body["tools"] as unknown[];
        expect(tools.map(marksOf)).toEqual([0, 1]);
      }
    }
    const marked = sent.map(({ messages }) => (messages as unknown[]).map(marksOf));
    expect(marked).toEqual([[1], [1, 0, 1], [0, 0, 1, 0, 1], [0, 0, 0, 0, 1, 0, 1]]);
  });

  test("begin with what the one before it had the provider cache", async () => {
    const sent = await send(RUN.map((messages) => ({ messages, tools: TOOLS })));
    const plain = sent.map(({ messages, ...rest }) => ({
      head: JSON.stringify(rest).replace(all, ""),
      turns: (messages as unknown[]).map((one) => JSON.stringify(one).replace(all, "")),
    }));
    for (const [at, { head, turns }] of plain.entries()) {
      const before = plain[at - 1];
      if (!before) continue;
      expect(head).toBe(before.head);
      expect(turns.slice(0, before.turns.length)).toEqual(before.turns);
    }
  });

  test("mark no more than the instructions of a single question, and nothing of one that is sent once", async () => {
    const alone = { messages: [SYSTEM, user("One")] };
    const [single, once] = await send([alone, { ...alone, tools: TOOLS, once: true }]);
    expect([marksOf(single), marksOf(single?.["system"])]).toEqual([1, 1]);
    expect(marksOf(once)).toBe(0);
  });
});

test("a model on Bedrock that cannot cache gets no mark, which it would refuse", async () => {
  const { ask, provider } = await completionServer({
    kind: "bedrock",
    wire: "bedrock",
    model: "meta.llama3-1-70b-instruct-v1:0",
    replies: [{ steps: [{ text: "Yes" }] }],
  });
  await lines(await ask({ messages: RUN[3], tools: TOOLS }));
  expect(JSON.stringify(provider.requests[0]?.body)).not.toContain("cachePoint");
});
