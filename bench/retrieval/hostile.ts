import {
  loadByteRanks,
  pieceCounter,
} from "../../src/services/embedding/chunking/byte-pairs.ts";
import { cutText } from "../../src/services/embedding/chunking/cut-text.ts";
import { CHUNKING_METHODS } from "../../src/services/embedding/contract-jobs.ts";

const CHARACTERS = 1_000_000;

/**
 * Texts that are slow for splitters: without a place to cut, with nothing but such places, and with
 * runs of many different lengths.
 */
const TEXTS: Record<string, () => string> = {
  newlines: () => "\n".repeat(CHARACTERS),
  a: () => "a".repeat(CHARACTERS),
  dots: () => ".".repeat(CHARACTERS),
  spaces: () => " ".repeat(CHARACTERS),
  "a and newlines in turn": () => "a\n".repeat(CHARACTERS / 2),
  "longer and longer runs of newlines": () => growing("\n", "a"),
  "longer and longer runs of spaces": () => growing(" ", "a"),
  marks: () => "((((.,;:!?".repeat(CHARACTERS / 10),
  "form feeds": () => "\f".repeat(CHARACTERS),
};

/** Seconds that each method takes for a megabyte of a hostile text, at 512 tokens. */
export async function hostileTexts(): Promise<Record<string, Record<string, number>>> {
  const countPiece = pieceCounter(await loadByteRanks());
  return Object.fromEntries(
    Object.entries(TEXTS).map(([name, make]) => {
      const text = make();
      const seconds = CHUNKING_METHODS.map((method) => {
        const startedAt = performance.now();
        const chunkOverlap = method === "semchunk" ? 0 : 64;
        cutText(text, { method, chunkSize: 512, chunkOverlap, unit: "tokens" }, countPiece);
        return [method, Number(((performance.now() - startedAt) / 1_000).toFixed(2))];
      });
      return [name, Object.fromEntries(seconds) as Record<string, number>];
    }),
  );
}

function growing(run: string, between: string): string {
  let text = "";
  for (let length = 1; text.length < CHARACTERS; length += 1)
    text += run.repeat(length) + between;
  return text.slice(0, CHARACTERS);
}
