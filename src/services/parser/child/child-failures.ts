import { ApiError } from "../../../platform/http/errors.ts";
import type { TaskAnswer } from "./tasks.ts";

/** Converts what the task threw. */
export function failureOf({
  status,
  code,
  message,
}: Extract<TaskAnswer, { ok: false }>["error"]): ApiError {
  if (status !== undefined && code !== undefined)
    return new ApiError(status, code, message);
  return new ApiError(
    422,
    "file_unreadable",
    "This file cannot be read: it is damaged, or not what its name says. Save it " +
      "again, or send another copy.",
    {
      cause: new Error(message),
    },
  );
}

/** How a process ended, and the last part of its output. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  said: string;
}

/** The exit code of a wrapper whose process was killed: 128 and SIGKILL. */
const KILLED = 137;

/**
 * A kill that this service did not send is the kernel's, for lack of memory. V8 names a lack of
 * heap.
 */
export function whyEnded({ code, signal, said }: Ending, memoryBytes: number): ApiError {
  const killed = signal === "SIGKILL" || code === KILLED;
  const noMemory =
    killed || /out of memory|allocation failed|Array buffer allocation/i.test(said);
  if (noMemory) return tooMuchMemory(memoryBytes);
  return new ApiError(
    422,
    "parser_crashed",
    "Reading this file crashed the process that read it. The file is probably damaged, " +
      "perhaps on purpose. Save it again, or send another copy.",
    {
      cause: new Error(`code ${code}, signal ${signal}: ${said}`),
    },
  );
}

export function tooMuchMemory(bytes: number): ApiError {
  const megabytes = Math.round(bytes / 2 ** 20);
  return new ApiError(
    422,
    "too_complex",
    `Reading this file takes more than ${megabytes} MB of memory. Split it into smaller ones.`,
  );
}

export function tooLong(ms: number): ApiError {
  const limit = `${Math.round(ms / 1000)} seconds`;
  const sentence = `Reading this file takes more than ${limit}. Split it into smaller ones.`;
  return new ApiError(422, "too_complex", sentence);
}

export function cancelled(): ApiError {
  return new ApiError(499, "request_cancelled", "The request for this file was cancelled.");
}
