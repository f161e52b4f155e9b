import type { RtfState } from "./rtf-state.ts";

/**
 * The items of lists, by their marks and indentation. Nothing else in RTF is the same in all files.
 */
export function rtfLists() {
  let indents: number[] = [];
  let last: { list: number; number: number } | undefined;

  /** Lists of different kinds nest by their indentation alone. */
  const depthOf = ({ indent, level }: RtfState) => {
    if (indent <= 0) return level + 1;
    while ((indents.at(-1) ?? 0) > indent) indents.pop();
    if ((indents.at(-1) ?? 0) < indent) indents.push(indent);
    return indents.length;
  };

  return {
    /**
     * The item that a paragraph is; undefined for none. A paragraph of a list that says nothing
     * itself continues the list of the one before it.
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

/** "3.", "(b)", "iv."; not a number for signs. */
function numberIn(mark: string): number {
  const digits = /\d{1,9}(?=\D*$)/.exec(mark)?.[0];
  if (digits !== undefined) return Number(digits);
  const letter = /^\(?([a-z])[.)]/i.exec(mark)?.[1];
  if (letter !== undefined && !/[ivx]/i.test(letter))
    return letter.toLowerCase().charCodeAt(0) - 96;
  return /^\(?[a-z]{1,6}[.)]/i.test(mark) ? 1 : Number.NaN;
}
