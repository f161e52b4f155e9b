export interface Edit {
  /** A piece that occurs exactly once. */
  find: string;
  replace: string;
}

/**
 * Applies edits one after the other. Runs in a worker process: a search for a long, repetitive
 * piece takes time in the order of both lengths multiplied.
 * @returns undefined when a piece does not occur exactly once, or the text becomes longer than
 * `maxCharacters`.
 */
export default function editText({
  text,
  edits,
  maxCharacters,
}: {
  text: string;
  edits: readonly Edit[];
  maxCharacters: number;
}): string | undefined {
  let edited = text;
  for (const { find, replace } of edits) {
    const at = edited.indexOf(find);
    if (at < 0 || edited.indexOf(find, at + 1) >= 0) return undefined;
    edited = edited.slice(0, at) + replace + edited.slice(at + find.length);
    if (edited.length > maxCharacters) return undefined;
  }
  return edited;
}
