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
