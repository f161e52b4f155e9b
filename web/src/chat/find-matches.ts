import type { ThreadMessage } from "./queries.ts";

/** A place where words stand. */
export interface Match {
  /** The place of its message in the thread. */
  index: number;
  /** Which of the places in that message it is, from 0. */
  nth: number;
}

/** The places in messages where words stand, whatever their case and marks. */
export function findMatches(
  messages: readonly Pick<ThreadMessage, "content">[],
  words: string,
): Match[] {
  const wanted = fold(words.trim());
  if (wanted === "") return [];
  return messages.flatMap(({ content }, index) =>
    Array.from({ length: countOf(fold(content), wanted) }, (_, nth) => ({ index, nth })),
  );
}

/** Without case and diacritics. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** More places in one message are not told apart. */
const MAX_PLACES = 500;

function countOf(text: string, wanted: string): number {
  let count = 0;
  let at = text.indexOf(wanted);
  while (at >= 0 && count < MAX_PLACES) {
    count += 1;
    at = text.indexOf(wanted, at + wanted.length);
  }
  return count;
}
