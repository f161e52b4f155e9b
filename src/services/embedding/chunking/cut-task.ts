import { TooLarge } from "../../../platform/http/errors.ts";
import { once } from "../../../platform/single-flight.ts";
import { loadByteRanks, pieceCounter } from "./byte-pairs.ts";
import {
  type CutChunk,
  type CutOptions,
  cutText,
  CutTooLarge,
  MAX_REPETITIONS,
} from "./cut-text.ts";

/** A chunk without the part of the text, which the caller has. */
export interface CutPlace extends Omit<CutChunk, "content"> {
  /** What its content has before that part: the header of its table. */
  above: string;
}

const loadCounter = once(async () => pieceCounter(await loadByteRanks()));

/** Cuts a text in a worker process. @throws TooLarge `chunks_too_large`. */
export default async function cutTask(input: {
  text: string;
  options: CutOptions;
}): Promise<CutPlace[]> {
  const countPiece = await loadCounter();
  try {
    const chunks = cutText(input.text, input.options, countPiece);
    return chunks.map(({ content, ...place }) => {
      const above = content.slice(0, content.length - (place.end - place.start));
      return { ...place, above };
    });
  } catch (error) {
    throw error instanceof CutTooLarge ? tooLarge() : error;
  }
}

function tooLarge(): TooLarge {
  return new TooLarge(
    "chunks_too_large",
    "These sizes give more chunks than can be answered, or chunks that repeat the text more than " +
      `${MAX_REPETITIONS} times. Choose larger chunks or a smaller overlap.`,
    { params: { max: MAX_REPETITIONS } },
  );
}
