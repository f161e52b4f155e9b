import { expect, test } from "vitest";
import { concerns } from "./live-changes.ts";

test("a change concerns the thing itself and lists of its kind, and nothing else", () => {
  const change = { type: "document", id: "1" };
  expect(concerns(change, ["document", "1", "text", 3])).toBe(true);
  expect(concerns(change, ["documents", "folder"])).toBe(true);
  expect(concerns(change, ["document", "2"])).toBe(false);
  expect(concerns(change, ["conversation", "1"])).toBe(false);
  expect(concerns({ type: "document", id: null }, ["document", "2"])).toBe(true);
});

test("a change concerns kinds that show something of it, too", () => {
  expect(concerns({ type: "role", id: "helper" }, ["user", "1", "permissions"])).toBe(true);
  expect(concerns({ type: "provider", id: "own" }, ["models", "offered", ""])).toBe(true);
  expect(concerns({ type: "flow", id: null }, ["flow-permissions", ""])).toBe(true);
  expect(concerns({ type: "budget", id: "1" }, ["models", "offered", ""])).toBe(false);
});
