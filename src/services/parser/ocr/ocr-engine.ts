/** Reads the text in a picture. */
export interface OcrEngine {
  /** Its name in the trace. */
  name: string;
  /** Why it is not available, and what to do. */
  absent?: string;
  /** Pictures leave this machine, which a request must allow with `ocr_enabled`. */
  isRemote?: boolean;
  reads(mimeType: string): boolean;
  /** @returns text or markdown; empty when there is no text. */
  read(image: Picture, signal: AbortSignal): Promise<string>;
}

export interface Picture {
  bytes: Uint8Array;
  mimeType: string;
}
