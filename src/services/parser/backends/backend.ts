import type { Absence } from "../absence.ts";
import type { BackendKey } from "../contract.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import type { ReadFile } from "../read-file.ts";
import type { TurnOwner } from "../reading/file-pool.ts";

/** A file to read, on this machine's disk. */
export interface SourceFile {
  path: string;
  fileName: string;
  /** Determined by the bytes. */
  mimeType: string;
  size: number;
  /** Opens the file, where it is protected. */
  password?: string | undefined;
  turn?: TurnOwner | undefined;
}

/** One way of converting a file to Markdown. */
export interface Backend {
  key: BackendKey;
  /** The name shown to people. */
  name: string;
  /** Why the backend is unavailable, such as a missing setting. */
  absent?: Absence;
  /** Whether the backend extracts the images of a file. */
  pictures?: boolean;
  /** Whether the backend opens files by their password, which is never sent elsewhere. */
  opensProtected?: boolean;
  reads(mimeType: string): boolean;
  /** @throws ApiError: below 500 the file is the cause, from 500 on the backend. */
  parse(file: SourceFile, options: ParseOptions, signal: AbortSignal): Promise<ReadFile>;
  /** Throws when the backend does not answer. */
  check?(signal: AbortSignal): Promise<void>;
}
