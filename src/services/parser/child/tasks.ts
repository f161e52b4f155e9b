import type { ParseOptions } from "../contract-jobs.ts";

/** What is asked of a child process, and what it answers. */

export interface FileInput {
  /** Of the bytes on the disk. */
  path: string;
  fileName: string;
}

export interface ParseInput extends FileInput {
  mimeType: string;
  options: ParseOptions;
}

export interface TaskMessage {
  id: number;
  task: string;
  input: unknown;
}

export type TaskAnswer =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; error: { status?: number; code?: string; message: string } };

export interface PageInput {
  path: string;
  /** From 1. */
  page: number;
}
