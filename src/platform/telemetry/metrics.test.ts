import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("watching the loop wakes an idle process ten times a second at most", async () => {
  const metrics = createMetrics();
  await sleep(500);
  const mean = /^nodejs_eventloop_lag_mean_seconds (\S+)$/m.exec(await metrics.metrics())?.[1];
  // what is told is the time between two looks
  expect(Number(mean)).toBeGreaterThan(0.09);
});
