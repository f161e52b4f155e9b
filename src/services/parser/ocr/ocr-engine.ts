/** What reads text from a picture. */
export interface OcrEngine {
  /** As the trace names it. */
  name: string;
  /** Why it cannot be asked. */
  absent?: string;
  reads(mimeType: string): boolean;
  /** @returns text or markdown; empty where it finds none. */
  read(image: Picture, signal: AbortSignal): Promise<string>;
}

export interface Picture {
  bytes: Uint8Array;
  mimeType: string;
}
