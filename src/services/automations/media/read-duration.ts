import { parseBuffer } from "music-metadata";

export interface DurationRequest {
  bytes: Uint8Array;
  mimeType: string;
}

/**
 * Seconds that a medium plays, by what its container says. Runs in a worker process: a few bytes
 * that look like sound keep a reader busy for very long.
 * @returns undefined for an unknown container. What was found before a broken part counts.
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
    // of an unknown container, or broken
  }
  return duration;
}
