import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { ParseTrace } from "./contract-jobs.ts";

/** The state of parsing one file. */
export interface Parsing {
  /** Aborts when no caller waits any more, and when the time is over. */
  readonly signal: AbortSignal;
  /** The finished steps. */
  readonly trace: ParseTrace;
  /** Sets the current step, as named in the trace. */
  readonly begin: (step: string) => void;
  /** Whom the questions to models count for. */
  readonly userId?: string | undefined;
}

/** The file could not be read. Includes the trace of its steps. */
export class ParseFailure extends ApiError {
  readonly trace: ParseTrace;

  constructor(
    { status, code, message, params, headers, cause }: ApiError,
    trace: ParseTrace,
  ) {
    super(status, code, message, { details: { trace }, params, headers, cause });
    this.trace = trace;
  }
}

/**
 * Runs all steps for one file under one deadline. It does not wait for a step that ignores its
 * signal.
 * @throws ParseFailure 422 `parsing_timeout` whose trace ends with the running step; what `work`
 * throws.
 */
export async function withinTime<Result>(
  limitMs: number,
  signal: AbortSignal,
  work: (parsing: Parsing) => Promise<Result>,
  userId?: string,
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
    // an abandoned step cleans up first
    clock.signal.addEventListener("abort", () => clock.late && reject(tooLong()), {
      once: true,
    });
  });
  try {
    const begin = (name: string) => (step = { name, began: performance.now() });
    return await Promise.race([work({ signal: clock.signal, trace, begin, userId }), over]);
  } finally {
    clock.stop();
  }
}
