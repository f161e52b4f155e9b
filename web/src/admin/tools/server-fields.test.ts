import { expect, test } from "vitest";
import { readPairs, readServer, writePairs } from "./server-fields.ts";

const form = (values: Record<string, string>) => {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
};

test("lines become pairs; only the first separator counts", () => {
  expect(readPairs("Authorization: Bearer a:b\n\nbroken\n: none", ":")).toEqual({
    Authorization: "Bearer a:b",
  });
  expect(writePairs({ search: "find" }, " = ")).toBe("search = find");
});

test("stored headers stay unless they are replaced", () => {
  const stored = {
    name: "town",
    url: "https://town.example/mcp",
    enabled: false,
    headers: { Authorization: "•••" as const },
  };
  const fields = { url: "https://town.example/mcp", hide: "drop\n", rename: "look = see" };
  expect(readServer(form(fields), stored)).toEqual({
    trusted: false,
    name: "town",
    url: "https://town.example/mcp",
    enabled: false,
    hide: ["drop"],
    rename: { look: "see" },
  });
  const replaced = form({ ...fields, replaceHeaders: "on", headers: "" });
  expect(readServer(replaced, stored).headers).toEqual({});
});
