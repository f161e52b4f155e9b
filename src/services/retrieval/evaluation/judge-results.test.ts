import { expect, test } from "vitest";
import { judgeResults } from "./judge-results.ts";

const PASSAGE = "Green tea is brewed at seventy degrees for two minutes.";

function aResult(fileName: string, content = "of no matter") {
  return { content, metadata: { documentId: `id of ${fileName}`, fileName } };
}

test("documents are judged by their first chunks", () => {
  const results = ["rice", "rice", "tea", "coffee"].map((name) => aResult(name));
  expect(judgeResults(results, [{ fileName: "rice" }])).toEqual({
    ndcg: 1,
    recall: 1,
    reciprocalRank: 1,
  });
  // the second chunk of rice takes no rank
  const second = judgeResults(results, [{ fileName: "tea" }]);
  expect(second.reciprocalRank).toBe(1 / 2);
  expect(second.ndcg).toBeCloseTo(1 / Math.log2(3), 10);
  expect(judgeResults(results, [{ documentId: "id of coffee" }]).reciprocalRank).toBe(
    1 / 3,
  );
});

test("of two expected documents, one is half", () => {
  const found = judgeResults([aResult("tea")], [{ fileName: "tea" }, { fileName: "rice" }]);
  expect(found.recall).toBe(0.5);
  expect(found.ndcg).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 10);
});

test("a chunk answers that has half of a passage, whatever the signs and the case", () => {
  const half = aResult("tea", "## TEA\n\ngreen tea — is brewed at seventy DEGREES");
  expect(judgeResults([half], [{ passage: PASSAGE }]).recall).toBe(1);
  const scattered = aResult(
    "tea",
    "Degrees of green; minutes at tea, two for seventy brewed is.",
  );
  expect(judgeResults([scattered], [{ passage: PASSAGE }]).recall).toBe(0);
  expect(judgeResults([aResult("tea", "Boil it.")], [{ passage: "boil" }]).recall).toBe(1);
  const elsewhere = aResult("rice", PASSAGE);
  expect(judgeResults([elsewhere], [{ passage: PASSAGE, fileName: "tea" }]).recall).toBe(0);
});

test("a chunk that holds both passages answers both, and a perfect order scores 1", () => {
  const both = aResult("tea", `${PASSAGE} Black tea takes boiling water.`);
  const expected = [{ passage: PASSAGE }, { passage: "Black tea takes boiling water." }];
  expect(judgeResults([both], expected)).toEqual({ ndcg: 1, recall: 1, reciprocalRank: 1 });
});

test("what is found after the tenth rank does not count, and nothing found is 0", () => {
  const results = Array.from({ length: 12 }, (_, at) => aResult(`file ${at}`));
  const none = { ndcg: 0, recall: 0, reciprocalRank: 0 };
  expect(judgeResults(results, [{ fileName: "file 10" }])).toEqual(none);
  expect(judgeResults([], [{ fileName: "tea" }])).toEqual(none);
});
