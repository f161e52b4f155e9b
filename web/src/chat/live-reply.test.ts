import { afterEach, expect, test, vi } from "vitest";
import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import { LiveReply } from "./live-reply.ts";
import { NEW_REPLY } from "./reply-state.ts";

const CALL = { toolCallId: "1", name: "echo", arguments: {}, content: "one", at: 5 };
/** What the page read: some of the text after the decision is stored already. */
const STORED = {
  ...NEW_REPLY,
  text: "First then",
  reasoning: "Thinking, still",
  tools: [CALL],
  finishReason: "approval",
};
const opening = (earlier?: { content: number; reasoning: number }): ConversationEvent => ({
  type: "conversation",
  conversationId: "c",
  userMessageId: "u",
  messageId: "m",
  ...(earlier && { earlier }),
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function shown(reply: LiveReply) {
  await vi.waitFor(() => expect(reply.snapshot().phase).toBe("streaming"));
  return reply.snapshot();
}

test("a page that comes after a decision has what stands before it, once", async () => {
  const reply = new LiveReply("c", "m", STORED);
  reply.add(opening({ content: 5, reasoning: 8 }), "2-0");
  reply.add({ type: "text_delta", delta: " then more" }, "2-1");
  const call = { toolCallId: "2", name: "echo", arguments: {} };
  reply.add({ type: "tool_call", ...call }, "2-2");
  const { text, reasoning, tools, finishReason } = await shown(reply);
  expect({ text, reasoning, finishReason }).toEqual({
    text: "First then more",
    reasoning: "Thinking",
    finishReason: undefined,
  });
  expect(tools.map(({ toolCallId, at }) => [toolCallId, at])).toEqual([
    ["1", 5],
    ["2", 15],
  ]);
});

test("a page that heard the beginning keeps it, and a first segment has nothing before it", async () => {
  const heard = new LiveReply("c", "m", STORED);
  heard.add(opening(), "0");
  heard.add({ type: "text_delta", delta: "First" }, "1");
  heard.beginAgain();
  heard.add(opening({ content: 5, reasoning: 0 }), "2-0");
  heard.add({ type: "text_delta", delta: " again" }, "2-1");
  expect((await shown(heard)).text).toBe("First again");
  const first = new LiveReply("c", "m", STORED);
  first.add(opening(), "0");
  first.add({ type: "text_delta", delta: "Alone" }, "1");
  expect((await shown(first)).text).toBe("Alone");
});

test("what takes long to show is shown less often: in a ninth of the time, but soon", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const timed = Promise.withResolvers<void>();
  vi.stubGlobal("requestAnimationFrame", (next: () => void) => next());
  vi.stubGlobal(
    "MessageChannel",
    class {
      port1 = { onmessage: () => undefined, close: timed.resolve };
      port2 = { postMessage: () => this.port1.onmessage() };
    },
  );
  const reply = new LiveReply("c", "m");
  const wait = (text: string, ms: number) => {
    reply.add({ type: "text_delta", delta: text }, text);
    vi.advanceTimersByTime(ms);
    return reply.snapshot().text;
  };
  expect(wait("one", 33)).toBe("one");
  reply.reportCost(15); // nine times that, and nearly nothing for the frame
  await timed.promise;
  expect(wait(", two", 130)).toBe("one");
  expect(wait(", three", 70)).toBe("one, two, three");
  reply.reportCost(1_000);
  expect(wait(", four", 200)).toBe("one, two, three, four");
});
