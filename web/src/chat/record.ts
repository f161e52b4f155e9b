/** A recording by the microphone. Source: MediaStream Recording. */
export interface Recording {
  stop(): void;
  /** Resolves once it is stopped, by the user or because it is full. */
  file: Promise<File>;
}

/** The server takes 25 MB. At this rate it is more than an hour. */
const MAX_BYTES = 20 * 1024 * 1024;
const BITS_PER_SECOND = 32_000;
const PIECE_MS = 1_000;
const TYPES = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];

export function canRecord(): boolean {
  return "MediaRecorder" in globalThis && "mediaDevices" in navigator;
}

/** Listens until it is stopped, is full, or the signal aborts. @throws DOMException */
export async function startRecording(signal: AbortSignal): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) release();
  signal.throwIfAborted();
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType && { mimeType }) };
  const recorder = new MediaRecorder(stream, options);
  const stop = () => {
    if (recorder.state !== "inactive") recorder.stop();
  };
  const pieces: Blob[] = [];
  let size = 0;
  const file = new Promise<File>((resolve, reject) => {
    recorder.addEventListener("dataavailable", ({ data }) => {
      pieces.push(data);
      size += data.size;
      if (size >= MAX_BYTES) stop();
    });
    recorder.addEventListener("error", () => reject(new DOMException("", "AbortError")));
    recorder.addEventListener("stop", () => {
      release();
      const type = recorder.mimeType.split(";")[0] ?? "";
      const ending = type.split("/")[1] || "webm";
      resolve(new File(pieces, `dictation.${ending}`, { type }));
    });
  });
  signal.addEventListener("abort", stop, { once: true });
  recorder.start(PIECE_MS);
  return { stop, file };
}
