import { afterAll, beforeAll, expect, test } from "vitest";
import { openPassages, type Passages } from "../../../test/support/passages.ts";

const VERSIONS = 30;
/** More than the candidates of a search. */
const COPIES = 150;
const form =
  "The storm warning form: every tea room of the harbour hangs up one lamp, names whoever keeps " +
  "it, calls the pilots before dusk, and writes down the hour in the green book by the window.";
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
  for (let n = 0; n < COPIES; n += 1) await passages.store("bob", `copy ${n}.md`, [form]);
  await passages.store("ada", "own copy.md", [form]);
  await passages.store("ada", "by words.md", ["Pilots rest on Sundays."]);
  await passages.store("ada", "by vector.md", ["Harbourside stormproof cabins."]);
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

test.each([
  { by: "words", query: "pilots form of the tea storm harbour lamp", grade: 0.99 },
  { by: "vector", query: "tea storm harbour lamp form", grade: 0 },
])("150 copies leave room in hybrid for what is found by $by only", async (asked) => {
  const { results } = await passages.ask({
    ...asked,
    engineName: "hybrid",
    similarityTopK: 20,
  });
  const found = results.map(({ metadata }) => metadata.fileName);
  expect(found).toContain(`by ${asked.by}.md`);
  expect(found.filter((name) => name.includes("copy"))).toHaveLength(2);
});

test("a copy that a user may see is found beside those that the user may not see", async () => {
  for (const query of ["storm warning form of the pilots", "tea storm harbour lamp"]) {
    const { results } = await passages.ask(
      { query, engineName: "hybrid", similarityTopK: 5 },
      { kind: "visible", ownerId: "ada", shared: [] },
    );
    expect(results[0]?.metadata.fileName).toBe("own copy.md");
    const shared = await passages.ask(
      { query, engineName: "hybrid", similarityTopK: 5 },
      { kind: "visible", ownerId: "eve", shared: [passages.documents["copy 77.md"] ?? ""] },
    );
    expect(shared.results.map(({ metadata }) => metadata.fileName)).toEqual(["copy 77.md"]);
  }
});
