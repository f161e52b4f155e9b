import { expect, test } from "vitest";
import type { ConversationMessage } from "../../../src/services/core/conversations/contract.ts";
import { branchOf } from "./thread.ts";
import { newMessage } from "./new-message.ts";

const message = (id: string, parentId: string | null): ConversationMessage =>
  newMessage({ id, parentId, conversationId: "c", role: "user", content: id });

const MESSAGES = [
  message("q1", null),
  message("a1", "q1"),
  message("a2", "q1"),
  message("q2", "a2"),
  message("q1b", null),
  message("a3", "q1b"),
];
const ids = (through?: string) => branchOf(MESSAGES, through).map(({ id }) => id);

test("the branch ends at the newest message, or leads through the one that is chosen", () => {
  expect(ids()).toEqual(["q1b", "a3"]);
  expect(ids("a1")).toEqual(["q1", "a1"]);
  expect(ids("q1")).toEqual(["q1", "a2", "q2"]);
});

test("each message knows the versions beside it, the first message too", () => {
  const [first, second] = branchOf(MESSAGES, "a2");
  expect(first?.siblings).toEqual(["q1", "q1b"]);
  expect(second?.siblings).toEqual(["a1", "a2"]);
});

test("an unknown message and an empty conversation do no harm", () => {
  expect(ids("gone")).toEqual(["q1b", "a3"]);
  expect(branchOf([])).toEqual([]);
});
