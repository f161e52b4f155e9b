import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listPromises } from "./promises.ts";

test("every promise names tests that count it, or why there are none", () => {
  expect(listPromises().length).toBe(60);
  const uncounted = listPromises().flatMap(([key, { files, missing }]) => {
    if (files.length === 0) return missing ? [] : [key];
    const calls = new RegExp(`held\\([^;]*"${key}"`);
    const counts = (file: string) => calls.test(readFileSync(file, "utf8"));
    return files.filter((file) => !counts(file)).map((file) => `${key}: ${file}`);
  });
  expect(uncounted).toEqual([]);
});

test("docs/security.md lists every promise", () => {
  const page = readFileSync("docs/security.md", "utf8");
  expect(listPromises().filter(([, { promise }]) => !page.includes(promise))).toEqual([]);
});
