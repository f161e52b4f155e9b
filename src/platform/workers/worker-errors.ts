import { ApiError, TooManyRequests, Unavailable } from "../http/errors.ts";
import type { Task } from "./task.ts";

/** What a pool says to those whose tasks it does not do. Its users know its work by a name. */
export interface WorkerErrors {
  /** Too many tasks wait. */
  busy(): ApiError;
  /** One user has this many tasks already. */
  tooMany(count: number): ApiError;
  /** No process starts. */
  unavailable(cause: Error): ApiError;
  /** The process ended without a reason that the pool knows. */
  crashed(task: Task, cause: Error): ApiError;
}

const RETRY_MS = 5_000;

/** Of the pool that all services share. */
export const SHARED_ERRORS: WorkerErrors = {
  busy: () =>
    new Unavailable(
      "workers_busy",
      "Too many exports and comparisons wait for their turn. Try again in a moment.",
      RETRY_MS,
    ),
  tooMany: (count) =>
    new TooManyRequests(
      "too_many_tasks",
      `You have ${count} exports or comparisons at once. Wait until one has ended.`,
      RETRY_MS,
      { params: { max: count } },
    ),
  unavailable: (cause) =>
    new Unavailable(
      "workers_unavailable",
      "No process can be started for this work. Try again in a moment.",
      RETRY_MS,
      { cause },
    ),
  crashed: (task, cause) => tooComplex(task, "the memory that one task may use", cause),
};

/** @param limit what the task takes more than. */
export function tooComplex(task: Task, limit: string, cause?: Error): ApiError {
  const { what = "This", advice } = task;
  return new ApiError(422, "too_complex", `${what} takes more than ${limit}. ${advice}`, {
    cause,
  });
}
