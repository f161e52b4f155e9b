import type { Logger } from "../platform/telemetry/log.ts";

export interface Cleanup {
  /** Adds a step that `run` executes before all earlier ones. */
  add(step: () => PromiseLike<unknown>): void;
  /** Runs every step once, in reverse order. A failure is logged and does not stop the others. */
  run(): Promise<void>;
}

export function createCleanup(log: Logger): Cleanup {
  const steps: (() => PromiseLike<unknown>)[] = [];
  return {
    add(step) {
      steps.push(step);
    },
    async run() {
      for (const step of steps.splice(0).reverse())
        await Promise.resolve(step()).catch((error: unknown) =>
          log.error({ err: error }, "a part of the server did not close"),
        );
    },
  };
}
