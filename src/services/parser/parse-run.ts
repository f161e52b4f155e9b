import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { ParseTrace } from "./contract-jobs.ts";

/** One file on its way through all that reads it. */
export interface ParseRun {
  /** Aborts when nobody waits any more, and when its time is over. */
  readonly signal: AbortSignal;
  /** What was done so far. */
  readonly trace: ParseTrace;
  /** What is being done from now on, as the trace names it. */
  readonly begin: (step: string) => void;
}

/** The file could not be read; what became of it at each step goes along. */
export class ParseFailure extends ApiError {
  readonly trace: ParseTrace;

  constructor({ status, code, message, headers, cause }: ApiError, trace: ParseTrace) {
    super(status, code, message, { details: { trace }, headers, cause });
    this.trace = trace;
  }
}

/**
 * The whole of one file's reading under one deadline, whatever each step of it may take for itself.
 * A step that does not hear the signal is not waited for.
 * @throws ParseFailure 422 `parsing_timeout` whose trace ends with the step that was running; what
 * `work` throws.
 */
export async function withinTime<Result>(
  limitMs: number,
  signal: AbortSignal,
  work: (run: ParseRun) => Promise<Result>,
): Promise<Result> {
  const clock = new Deadline(signal, limitMs);
  const trace: ParseTrace = [];
  let step = { name: "file", began: performance.now() };
  const tooLong = () => {
    const seconds = `${limitMs / 1000} s`;
    const durationMs = Math.round(performance.now() - step.began);
    const reason = `it was running when the ${seconds} of the whole file were over`;
    const sentence = `Reading this file took longer than ${seconds} in all and was ended at ${step.name}. Split it, ask for less, or raise PARSER_JOB_TIME_LIMIT.`;
    return new ParseFailure(new ApiError(422, "parsing_timeout", sentence), [
      ...trace,
      { backend: step.name, outcome: "failed", reason, durationMs },
    ]);
  };
  const over = new Promise<never>((_, reject) => {
    // one that nobody waits for tidies up first
    clock.signal.addEventListener("abort", () => clock.late && reject(tooLong()), { once: true });
  });
  try {
    const begin = (name: string) => (step = { name, began: performance.now() });
    return await Promise.race([work({ signal: clock.signal, trace, begin }), over]);
  } finally {
    clock.stop();
  }
}
