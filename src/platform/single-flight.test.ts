import { expect, test } from "vitest";
import { coalesce, once, singleFlight } from "./single-flight.ts";

test("what is done once is done again only after a failure", async () => {
  let runs = 0;
  const run = once(async () => {
    runs += 1;
    await Promise.resolve();
    if (runs === 1) throw new Error("the first fails");
    return runs;
  });
  const outcomes = await Promise.allSettled([run(), run()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await run(), await run()]).toEqual([2, 2]);
});

test("calls at once share a run, and the next call starts another, also after a failure", async () => {
  let runs = 0;
  const run = singleFlight(async () => {
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

/** Work whose runs end when the test says so. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = coalesce(() => {
    const ended = Promise.withResolvers<void>();
    runs.push(ended);
    return ended.promise;
  });
  return { run, runs };
}

test("callers during a run share one further run, which starts after it", async () => {
  const { run, runs } = controlled();
  const first = run();
  const [second, third] = [run(), run()];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await Promise.all([second, third]);
  expect(runs).toHaveLength(2);
});

test("a failed run rejects only for its own callers", async () => {
  const { run, runs } = controlled();
  const first = run();
  const second = run();
  runs[0]?.reject(new Error("down"));
  await expect(first).rejects.toThrow("down");
  await expect.poll(() => runs.length).toBe(2);
  const third = run();
  runs[1]?.resolve();
  await second;
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve();
  await third;
});
