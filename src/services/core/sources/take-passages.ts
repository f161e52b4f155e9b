import type { Source } from "./contract.ts";
import type { Passage } from "./find-passages.ts";
import { CHARACTERS_PER_TOKEN } from "../../../platform/estimate-tokens.ts";
import { describePlace } from "../../embedding/contract-places.ts";

/** The share of the model's context that passages may fill. */
export const PASSAGES_SHARE = 0.35;

/** Numbers the new passages that fit the context, best first. */
export function takePassages(
  known: readonly Source[],
  passages: readonly Passage[],
  contextWindow: number,
): Source[] {
  const used = known.reduce((sum, { content }) => sum + content.length, 0);
  let room = contextWindow * CHARACTERS_PER_TOKEN * PASSAGES_SHARE - used;
  const taken: Source[] = [];
  const next = nextIndex(known);
  for (const passage of passages) {
    const isKnown = findPassage(known, passage) ?? findPassage(taken, passage);
    if (passage.content.length > room || isKnown) continue;
    room -= passage.content.length;
    taken.push({ ...passage, index: next + taken.length });
  }
  return taken;
}

/** The number after those of a reply, of which some may be missing. */
export function nextIndex(known: readonly Source[]): number {
  return known.reduce((most, { index }) => Math.max(most, index), 0) + 1;
}

/** Returns the known source of a passage. One that was read is known by its first line and text. */
export function findPassage(
  known: readonly Source[],
  { documentId, chunkIndex, content }: Passage,
): Source | undefined {
  return known.find(
    (source) =>
      source.documentId === documentId &&
      source.chunkIndex === chunkIndex &&
      (chunkIndex >= 0 || source.content === content),
  );
}

/** Formats a passage for the model, with the number by which to cite it. */
export function passageText({
  index,
  fileName,
  pageNumber,
  place,
  content,
  url,
}: Source): string {
  const where = url ?? describePlace(place, pageNumber);
  return `[${index}] “${fileName}”${where === undefined ? "" : `, ${where}`}:\n${content}`;
}
