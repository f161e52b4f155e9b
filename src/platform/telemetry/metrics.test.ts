import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("sampling the event loop wakes an idle process at most ten times a second", async () => {
  const metrics = createMetrics();
  await sleep(500);
  const mean = /^nodejs_eventloop_lag_mean_seconds (\S+)$/m.exec(
    await metrics.metrics(),
  )?.[1];
  // the mean is the time between two samples
  expect(Number(mean)).toBeGreaterThan(0.09);
});
