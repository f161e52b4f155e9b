import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MEASURE_INTERVAL_MS = 5_000;
/** Measurements without work, one after another, after which a process is idle: 10 s. */
const IDLE_MEASUREMENTS = 2;
/** The shares of its time that the loop works: below the one it rests, above the other is load. */
const RESTING = 0.05;
const LOADED = 0.15;
/** Small requests, one after another, leave garbage without a load. */
const GROWN_BYTES = 64 * 1024 * 1024;

interface Measurement {
  /** The share of its time that the loop worked since the last measurement. */
  utilization: number;
  /** What the heap and buffers take. */
  bytes: number;
}

/**
 * Decides after each measurement whether memory is to be collected: once, when a load is over, or
 * memory has grown, and nothing has happened for a while. V8 alone does it when somebody next needs
 * memory, which may be never.
 */
export function createIdleDecision(): (measured: Measurement) => boolean {
  let wasLoaded = false;
  let idleMeasurements = 0;
  /** What was in use after the last collection. */
  let least = Infinity;
  return ({ utilization, bytes }) => {
    least = Math.min(least, bytes);
    if (utilization >= LOADED || bytes >= least + GROWN_BYTES) wasLoaded = true;
    idleMeasurements = utilization < RESTING ? idleMeasurements + 1 : 0;
    if (!wasLoaded || idleMeasurements < IDLE_MEASUREMENTS) return false;
    wasLoaded = false;
    least = Infinity;
    return true;
  };
}

/** Gives the memory of a load back to the system once the process is idle. */
export function collectWhenIdle(): Disposable {
  const collect = exposedCollector();
  const isDue = createIdleDecision();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    const { heapUsed, external } = process.memoryUsage();
    if (isDue({ utilization, bytes: heapUsed + external })) collect();
    // the collection itself is no load
    before = performance.eventLoopUtilization();
  }, MEASURE_INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * V8's major collection, which Node shows only to those who ask. As the last resort it also gives
 * the pages back that it has freed, which V8 otherwise keeps.
 */
function exposedCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  setFlagsFromString("--no-expose-gc");
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
