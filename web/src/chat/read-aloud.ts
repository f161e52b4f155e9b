import { requestSpeech } from "./sound-queries.ts";

/** The first part is short, so that reading begins soon. */
const FIRST_CHARACTERS = 300;
const MAX_CHARACTERS = 2_000;

/** A model of the server reads, part by part: one is fetched while another is heard. */
export async function readAloud(
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const parts = partsOf(sentences);
  let next = fetchPart(parts, 0, signal);
  for (let at = 0; at < parts.length; at += 1) {
    const sound = await next;
    next = fetchPart(parts, at + 1, signal);
    if (sound) await play(sound, signal);
  }
}

function fetchPart(
  parts: readonly string[],
  at: number,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const part = parts[at];
  const sound =
    part === undefined ? Promise.resolve(undefined) : requestSpeech(part, signal);
  // it is awaited once the part before was heard
  sound.catch(() => {});
  return sound;
}

function partsOf(sentences: readonly string[]): string[] {
  const parts: string[] = [];
  let part = "";
  for (const sentence of sentences.flatMap(cut)) {
    const most = parts.length === 0 ? FIRST_CHARACTERS : MAX_CHARACTERS;
    if (part !== "" && part.length + sentence.length >= most) {
      parts.push(part);
      part = "";
    }
    part = part === "" ? sentence : `${part} ${sentence}`;
  }
  return part === "" ? parts : [...parts, part];
}

function cut(sentence: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < sentence.length; from += MAX_CHARACTERS)
    pieces.push(sentence.slice(from, from + MAX_CHARACTERS));
  return pieces;
}

async function play(sound: Blob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const url = URL.createObjectURL(sound);
  const audio = new Audio(url);
  const leaving = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      const { signal: over } = leaving;
      audio.addEventListener("ended", () => resolve(), { signal: over });
      audio.addEventListener(
        "error",
        () => reject(new Error("The sound cannot be played.")),
        {
          signal: over,
        },
      );
      signal.addEventListener("abort", () => resolve(), { signal: over });
      audio.play().catch(reject);
    });
    signal.throwIfAborted();
  } finally {
    leaving.abort();
    audio.pause();
    URL.revokeObjectURL(url);
  }
}
