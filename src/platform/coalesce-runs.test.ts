import { expect, test } from "vitest";
import { coalesceRuns } from "./coalesce-runs.ts";

/** Work whose runs end when the test says so. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = coalesceRuns(() => {
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
