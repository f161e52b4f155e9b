import type { ThreadMessage } from "./queries.ts";

/** The places in the thread of messages that contain the words, whatever their case and marks. */
export function findMatches(
  messages: readonly Pick<ThreadMessage, "content">[],
  words: string,
): number[] {
  const wanted = fold(words.trim());
  if (wanted === "") return [];
  return messages.flatMap(({ content }, index) =>
    fold(content).includes(wanted) ? [index] : [],
  );
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
