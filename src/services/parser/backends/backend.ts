import type { BackendKey } from "../contract.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";

/** A file to read, as it lies on this machine's disk. */
export interface SourceFile {
  path: string;
  fileName: string;
  /** By its bytes. */
  mimeType: string;
  size: number;
}

/** One way of making markdown of a file. */
export interface Backend {
  key: BackendKey;
  /** For people. */
  name: string;
  /** Why it cannot be asked, such as the setting that is missing. */
  absent?: string;
  /** Whether it gives the pictures of a file. */
  pictures?: boolean;
  reads(mimeType: string): boolean;
  /** @throws ApiError: below 500 the file is at fault, from 500 on the backend. */
  parse(file: SourceFile, options: ParseOptions, signal: AbortSignal): Promise<ParsedFile>;
  /** Throws when it does not answer. */
  check?(signal: AbortSignal): Promise<void>;
}
