import { parseBuffer } from "music-metadata";

export interface DurationRequest {
  bytes: Uint8Array;
  mimeType: string;
}

/**
 * Returns the playing time of a medium in seconds, as its container states it. Runs in a worker
 * process, because a few bytes that resemble audio can keep a reader busy for very long.
 * @returns undefined for an unknown container. The duration found before a broken part counts.
 */
export default async function readDuration({
  bytes,
  mimeType,
}: DurationRequest): Promise<number | undefined> {
  let duration: number | undefined;
  const observer = ({ metadata }: { metadata: { format: { duration?: number } } }) => {
    duration = metadata.format.duration ?? duration;
  };
  const options = { duration: true, skipCovers: true, skipPostHeaders: true, observer };
  try {
    await parseBuffer(bytes, { mimeType, size: bytes.length }, options);
  } catch {
    // unknown container, or broken content
  }
  return duration;
}
