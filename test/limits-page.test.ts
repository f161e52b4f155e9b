import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "../src/platform/http/route.ts";
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../src/platform/json/json-limits.ts";

const page = readFileSync("docs/limits.md", "utf8");

test("docs/limits.md has the default of every setting that it names", () => {
  const settings = readFileSync(".env.example", "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)];
  expect(rows.length).toBeGreaterThan(15);
  const wrong = rows.filter(([, name, value]) => !settings.includes(`#${name}=${value}\n`));
  expect(wrong.map(([row]) => row)).toEqual([]);
});

test("docs/limits.md has the limits of every request", () => {
  const numbers = [MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_BODY_VALUES].map((n) =>
    n.toLocaleString("en"),
  );
  for (const number of [...numbers, `${MAX_BODY_BYTES / 2 ** 20} MB`])
    expect(page).toContain(number);
});
