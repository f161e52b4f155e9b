import { expect, test } from "vitest";
import { differing, overwritten, toLateFailure } from "./late-changes.ts";

const base = { name: "a", tags: ["x"], price: { input: 1, output: 2 } };

test("only what differs is a change, whatever the order of an object's fields", () => {
  const values = { name: "a", tags: ["x", "y"], price: { output: 2, input: 1 } };
  expect(differing(base, values)).toEqual({ tags: ["x", "y"] });
  const unset: Partial<typeof base> = { name: undefined as unknown as string };
  expect(differing(base, unset)).toEqual({ name: undefined });
});

test("a change overwrites what somebody else changed to something else", () => {
  const newest = { name: "theirs", tags: ["x", "y"], price: base.price };
  expect(overwritten(base, { name: "mine" }, newest)).toEqual(["name"]);
  expect(overwritten(base, { tags: ["x", "y"] }, newest)).toEqual([]); // the same change
  expect(overwritten(base, { price: { input: 3, output: 2 } }, newest)).toEqual([]);
});

test("fields are named, short texts shown, and names end their own direction", () => {
  const newest = { name: "\u202Egnp", tags: [], price: base.price, count: 3 };
  const { code, params } = toLateFailure(["name", "tags", "count"], newest, {
    name: "Name",
    tags: "Tags",
    count: "Number",
  });
  expect(code).toBe("changed_meanwhile");
  expect(params["fields"]).toBe(
    "Name – \u2068\u202Egnp\u2069; Tags; Number – \u20683\u2069",
  );
});
