import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHANGED_TYPES } from "../../../src/platform/changes/contract-changes.ts";
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

test("a change of a tool server or an engine concerns the choice of tools", () => {
  expect(concerns({ type: "tool-server", id: "1" }, ["toolsets"])).toBe(true);
  expect(concerns({ type: "search-engine", id: "1" }, ["toolsets"])).toBe(true);
  expect(concerns({ type: "session", id: null }, ["settings", "keys"])).toBe(true);
  expect(concerns({ type: "share", id: "1" }, ["link", "document", "1"])).toBe(true);
});

test("whatever changes, some query shows it", async () => {
  const kinds = await kindsOfQueries();
  const unseen = CHANGED_TYPES.filter(
    (type) => !kinds.some((kind) => concerns({ type, id: null }, [kind])),
  );
  expect(unseen).toEqual([]);
});

/** The first words of the keys of all queries. */
async function kindsOfQueries(): Promise<string[]> {
  const folder = join(import.meta.dirname, "..");
  const kinds = new Set<string>();
  for await (const file of glob("**/*.{ts,tsx}", { cwd: folder })) {
    const text = await readFile(join(folder, file), "utf8");
    for (const [, kind = ""] of text.matchAll(
      /(?:queryKey:|KEY =|ENGINES =) \["([a-z-]+)"/g,
    ))
      kinds.add(kind);
  }
  return [...kinds];
}
