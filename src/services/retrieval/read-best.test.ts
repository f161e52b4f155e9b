import { afterAll, beforeAll, expect, test } from "vitest";
import { openPassages, type Passages } from "../../../test/support/passages.ts";

const VERSIONS = 30;
const page = (year: number) =>
  `In ${year} every whale watcher of the island has thirty days of leave. Ask the office on the ` +
  "first floor for a form, fill it in, have it signed, bring it back within a " +
  "week, keep one copy for yourself and give a second one to whoever leads your team on the day.";

let passages: Passages;
const namesOf = async (query: string, engineName: "default" | "hybrid") => {
  const { results } = await passages.ask({ query, engineName, similarityTopK: 5 });
  return results.map(({ metadata }) => metadata.fileName);
};
beforeAll(async () => {
  passages = await openPassages();
  for (let n = 0; n < VERSIONS; n += 1)
    await passages.store("ada", `${1990 + n}.md`, [page(1990 + n)]);
  await passages.store("ada", "other.md", ["Other leave: a day off for a wedding."]);
  await passages.store("ada", "lamps.md", ["Lamp", "Lamp", "Lamp", "Lamp", "Lamp"]);
});
afterAll(() => passages[Symbol.asyncDispose]());

test("thirty versions of a page leave room for others in hybrid", async () => {
  const found = await namesOf("days of leave of a whale watcher", "hybrid");
  expect(found).toContain("other.md");
  // two of them, because they may contradict each other
  expect(found.filter((name) => /^\d/.test(name))).toHaveLength(2);
  // the nearest chunks, whatever they say
  expect(await namesOf("days of leave of a whale watcher", "default")).not.toContain(
    "other.md",
  );
});

test("the version that was asked for comes first", async () => {
  expect((await namesOf("leave of a whale watcher in 2011", "hybrid"))[0]).toBe("2011.md");
});

test("chunks of few words are not taken for copies", async () => {
  expect(await namesOf("lamp", "hybrid")).toEqual(Array(5).fill("lamps.md"));
});
