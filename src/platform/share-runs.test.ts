import { expect, test } from "vitest";
import { shareRuns } from "./share-runs.ts";

test("calls at once share a run, and the next call starts another, also after a failure", async () => {
  let runs = 0;
  const run = shareRuns(async () => {
    runs += 1;
    await Promise.resolve();
    if (runs === 1) throw new Error("the first fails");
    return runs;
  });
  const outcomes = await Promise.allSettled([run(), run()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(1);
  expect(await Promise.all([run(), run()])).toEqual([2, 2]);
  expect(await run()).toBe(3);
});
