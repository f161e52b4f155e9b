import type { RtfState } from "./rtf-state.ts";

/**
 * Recognises list items by their markers and indentation, the only properties that all programs
 * write.
 */
export function rtfLists() {
  let indents: number[] = [];
  let last: { list: number; number: number } | undefined;

  /** Lists of different kinds nest by their indentation. */
  const depthOf = ({ indent, level }: RtfState) => {
    if (indent <= 0) return level + 1;
    while ((indents.at(-1) ?? 0) > indent) indents.pop();
    if ((indents.at(-1) ?? 0) < indent) indents.push(indent);
    return indents.length;
  };

  return {
    /**
     * Returns the list item of a paragraph; undefined for none. A paragraph of a list without a
     * marker of its own continues the list before it.
     */
    itemOf(mark: string, state: RtfState): { depth: number; marker: string } | undefined {
      const before = last;
      last = undefined;
      if (mark === "" && (state.list <= 0 || before?.list !== state.list)) {
        indents = [];
        return undefined;
      }
      const number = mark === "" && before ? before.number + 1 : numberIn(mark);
      last = { list: state.list, number };
      return { depth: depthOf(state), marker: Number.isNaN(number) ? "-" : `${number}.` };
    },
  };
}

/** Reads "3.", "(b)", "iv."; not a number for bullets. */
function numberIn(mark: string): number {
  const digits = /\d{1,9}(?=\D*$)/.exec(mark)?.[0];
  if (digits !== undefined) return Number(digits);
  const letter = /^\(?([a-z])[.)]/i.exec(mark)?.[1];
  if (letter !== undefined && !/[ivx]/i.test(letter))
    return letter.toLowerCase().charCodeAt(0) - 96;
  return /^\(?[a-z]{1,6}[.)]/i.test(mark) ? 1 : Number.NaN;
}
