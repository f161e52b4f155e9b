/** What the thread of the vector index starts with. */
export interface VectorThreadData {
  path: string;
  /** What the vectors are of, for the file. */
  content: string;
  dimensions: number;
  maxRows: number;
}

/** A stored vector, as the database gives it: half-precision numbers in base64. */
export interface StoredVector {
  id: string;
  setId: string;
  vector: string;
}

/** Sets are those of `WANTED_BYTES`. */
export type IndexCommand =
  | { kind: "search"; vector: readonly number[]; wanted: Uint8Array; limit: number }
  | { kind: "lacking"; wanted: Uint8Array }
  | { kind: "keep"; wanted: Uint8Array }
  | { kind: "forget"; sets: Uint8Array }
  | { kind: "add"; rows: readonly StoredVector[] }
  | { kind: "wereRead"; sets: Uint8Array }
  | { kind: "close" };

export interface Answer {
  /** Of a search: the chunks, the nearest first. */
  ids: string[];
  /** Of a search and of `lacking`: wanted sets that are not whole. */
  lacking: Uint8Array;
  /** Of `add`: no more vectors fit. */
  isFull: boolean;
  rows: number;
}

export interface NumberedCommand {
  id: number;
  command: IndexCommand;
}

/** The id of what is no answer: the file could not be written. */
export const NOT_SAVED = 0;

export type Answered = { id: number } & ({ answer: Answer } | { failure: string });
