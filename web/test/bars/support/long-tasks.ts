import type { Browser, Page } from "playwright-core";

/** From here on the browser's own standard calls a task long. */
const LONG_TASK_MS = 50;

/** The fields of Chromium's trace events that are read here. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * The long tasks of a page's main thread while something happens, in milliseconds of processor
 * time, the longest first. Time in which other processes had the processor does not count.
 */
export async function longTasksDuring(
  browser: Browser,
  page: Page,
  happens: () => Promise<unknown>,
): Promise<number[]> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  let trace: Buffer;
  try {
    await happens();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  return longTasks(traceEvents);
}

function longTasks(events: readonly TraceEvent[]): number[] {
  const isMain = ({ name, args }: TraceEvent) =>
    name === "thread_name" && args?.name === "CrRendererMain";
  const mains = new Set(events.filter(isMain).map(threadOf));
  const tasks = events.filter(
    (event) =>
      event.tdur !== undefined &&
      event.name.endsWith("RunTask") &&
      mains.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error("The trace has no tasks of the page.");
  return tasks
    .map(({ tdur = 0 }) => Math.round(tdur / 1_000))
    .filter((ms) => ms > LONG_TASK_MS)
    .sort((a, b) => b - a);
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`;
}
