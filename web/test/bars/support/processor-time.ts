import type { Page } from "playwright-core";

interface Used {
  /** Of all tasks of the page's main thread. */
  taskMs: number;
  /** Of JavaScript among them. */
  scriptMs: number;
}

/** The processor time of a page from now on: what other processes take does not count. */
export async function beginProcessorTime(page: Page): Promise<() => Promise<Used>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { taskMs: of("TaskDuration") * 1_000, scriptMs: of("ScriptDuration") * 1_000 };
  };
  const before = await read();
  return async () => {
    const after = await read();
    await session.detach();
    return {
      taskMs: after.taskMs - before.taskMs,
      scriptMs: after.scriptMs - before.scriptMs,
    };
  };
}
