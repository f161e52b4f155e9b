import type { Database } from "../../../platform/db/database.ts";
import type { CutOptions } from "../chunking/cut-text.ts";
import type { Cutter } from "../chunking/start-cutter.ts";
import type { Translator } from "../languages/translate.ts";
import type { EmbeddingModels } from "../models/all-models.ts";

export interface IndexDeps {
  db: Database;
  cutter: Cutter;
  models: EmbeddingModels;
  translator: Translator;
}

export interface IndexRequest {
  /** The attempt: indexing ends when the document is stopped or has another attempt. */
  jobId: string;
  documentId: string;
  text: string;
  options: CutOptions;
  translate: boolean;
  /** Is called with the share that is done, 0 to 1. */
  report(progress: number): Promise<void>;
  signal: AbortSignal;
}
