import type { ErrorParams } from "../http/errors.ts";

/** What a pool and its processes say to each other. */

/** The first message of a process. */
export const READY = "ready";

export interface TaskMessage {
  id: number;
  /** URL of the module that exports the task. */
  file: string;
  exported: string;
  input: unknown;
  /** This many bytes of a file follow through the standard input. */
  size: number;
  /** The folder that the worker shares with the pool. */
  folder?: string | undefined;
}

export interface TaskError {
  name: string;
  message: string;
  cause?: string;
  /** These are of an `ApiError`. */
  status?: number;
  code?: string;
  details?: unknown;
  params?: ErrorParams | undefined;
  headers?: Record<string, string>;
}

export type TaskAnswer =
  | { id: number; ok: true; output: unknown }
  | { id: number; ok: false; error: TaskError };
