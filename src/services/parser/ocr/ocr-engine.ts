import type { Absence } from "../absence.ts";
import type { Parsing } from "../parsing.ts";

/** Reads the text in an image. */
export interface OcrEngine {
  /** The engine's name in the trace. */
  name: string;
  /** Why it is not available, and what to do. */
  absent?: Absence;
  /** Whether images are sent to another server, which a request must permit with `ocr_enabled`. */
  isRemote?: boolean;
  reads(mimeType: string): boolean;
  /** @returns text or markdown; empty when there is no text. */
  read(image: Picture, parsing: Pick<Parsing, "signal" | "userId">): Promise<string>;
}

export interface Picture {
  bytes: Uint8Array;
  mimeType: string;
}
