import type { ParseOptions } from "../contract-jobs.ts";

/** The tasks of a child process, and their results. */

export interface FileInput {
  fileName: string;
  /** Opens a file that is protected by it. */
  password?: string | undefined;
}

export interface ParseInput extends FileInput {
  mimeType: string;
  options: ParseOptions;
}

export interface PageInput {
  mimeType: string;
  /** Counted from 1. */
  page: number;
  password?: string | undefined;
}

/** The first message of a process. */
export const READY = "ready";

export interface TaskMessage {
  id: number;
  task: string;
  input: unknown;
  /** This many bytes of a file follow through the standard input. */
  size: number;
}

export type TaskAnswer =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; error: { status?: number; code?: string; message: string } };
