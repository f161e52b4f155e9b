import { expect, test } from "vitest";
import { ListedTool } from "../tool-gateway/contract.ts";
import { CompletionEvent, Message } from "./contract.ts";

/** What a service sends that knows only the shapes all agree on. */

test("a call without an id gets one of its own", () => {
  const call = { type: "tool_call", name: "add", arguments: {} };
  const events = [CompletionEvent.parse(call), CompletionEvent.parse(call)];
  const ids = events.map((event) => event.type === "tool_call" && event.id);
  expect(new Set(ids).size).toBe(2);
  const message = Message.parse({ role: "assistant", content: "", toolCalls: [call] });
  expect(message.toolCalls?.[0]?.id).toMatch(/^call_/);
});

test("an end without usage counts no tokens", () => {
  const usage = { inputTokens: 0, outputTokens: 0 };
  expect(CompletionEvent.parse({ type: "done", finishReason: "stop" })).toMatchObject({
    usage,
  });
});

test("a tool without a server is listed", () => {
  const tool = { name: "add", description: "Adds", inputSchema: { type: "object" } };
  expect(ListedTool.parse(tool)).toMatchObject({ name: "add", server: "" });
});
