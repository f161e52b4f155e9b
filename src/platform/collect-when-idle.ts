import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_INTERVAL_MS = 5_000;
/** Looks without work, one after another, after which a process is idle: 10 s. */
const IDLE_LOOKS = 2;
/** The shares of its time that the loop works: below the one it rests, above the other is load. */
const RESTING = 0.05;
const LOADED = 0.15;

/**
 * Decides after each look whether memory is to be collected: once, when a load is over and nothing
 * has happened for a while. V8 alone does it when somebody next needs memory, which may be never.
 */
export function createIdleDecision(): (utilization: number) => boolean {
  let wasLoaded = false;
  let idleLooks = 0;
  return (utilization) => {
    if (utilization >= LOADED) wasLoaded = true;
    idleLooks = utilization < RESTING ? idleLooks + 1 : 0;
    if (!wasLoaded || idleLooks < IDLE_LOOKS) return false;
    wasLoaded = false;
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
    if (isDue(performance.eventLoopUtilization(now, before).utilization)) collect();
    // the collection itself is no load
    before = performance.eventLoopUtilization();
  }, LOOK_INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** V8's major collection, which Node shows only to those who ask. */
function exposedCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
