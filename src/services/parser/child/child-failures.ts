import { ApiError } from "../../../platform/http/errors.ts";
import type { TaskAnswer } from "./tasks.ts";

/** What the task threw. */
export function failureOf({
  status,
  code,
  message,
}: Extract<TaskAnswer, { ok: false }>["error"]): ApiError {
  if (status !== undefined && code !== undefined) return new ApiError(status, code, message);
  return new ApiError(
    422,
    "file_unreadable",
    "This file cannot be read: it is damaged, or not what its name says.",
    {
      cause: new Error(message),
    },
  );
}

/** How a process ended, and the last of what it printed. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  said: string;
}

/** What a wrapper exits with when its process was killed: 128 and SIGKILL. */
const KILLED = 137;

/** A kill that was not ours is the kernel's for lack of memory; V8 names its lack of heap. */
export function whyEnded({ code, signal, said }: Ending, memoryBytes: number): ApiError {
  const killed = signal === "SIGKILL" || code === KILLED;
  const noMemory = killed || /out of memory|allocation failed|Array buffer allocation/i.test(said);
  if (noMemory) return tooMuchMemory(memoryBytes);
  return new ApiError(
    422,
    "parser_crashed",
    "Reading this file ended the process that read it. It is probably damaged on purpose.",
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
  return new ApiError(499, "request_cancelled", "Nobody waits for this file any more.");
}
