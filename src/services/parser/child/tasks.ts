import type { ParseOptions } from "../contract-jobs.ts";

/** What is asked of a child process, and what it answers. */

export interface FileInput {
  fileName: string;
}

export interface ParseInput extends FileInput {
  mimeType: string;
  options: ParseOptions;
}

export interface PageInput {
  mimeType: string;
  /** From 1. */
  page: number;
}

/** The first message of a process. */
export const READY = "ready";

export interface TaskMessage {
  id: number;
  task: string;
  input: unknown;
  /** So many bytes of a file follow through the standard input. */
  size: number;
}

export type TaskAnswer =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; error: { status?: number; code?: string; message: string } };
