import type { Run } from "./blocks.ts";

type Mark = "bold" | "italic" | "strike";
const SIGNS: Record<Mark, string> = { bold: "**", italic: "*", strike: "~~" };

/**
 * Writes runs with their emphasis. The emphasis that extends farthest is outermost: `*one **two**
 * three*`. Emphasis begins and ends at letters, because CommonMark does not recognise it otherwise
 * next to letters.
 * @param write writes a run's escaped text without its emphasis.
 */
export function writeEmphasis(
  runs: readonly Run[],
  write: (run: Run) => string,
  following = "",
): string {
  let out = "";
  for (let at = 0; at < runs.length;) {
    const run = runs[at];
    if (run === undefined) break;
    const mark = farthest(runs, at);
    if (mark === undefined) {
      out += write(run);
      at += 1;
      continue;
    }
    const end = reach(runs, at, mark);
    const after = runs[end]?.text ?? following;
    const inner = writeEmphasis(
      runs.slice(at, end).map((each) => ({ ...each, [mark]: false })),
      write,
      after,
    );
    out += wrapped(
      inner,
      SIGNS[mark],
      /[\p{L}\p{N}]$/u.test(out),
      /^[\p{L}\p{N}]/u.test(after),
    );
    at = end;
  }
  return out;
}

function farthest(runs: readonly Run[], at: number): Mark | undefined {
  let best: Mark | undefined;
  let most = at;
  for (const mark of ["strike", "bold", "italic"] as const) {
    const end = reach(runs, at, mark);
    if (end > most) [best, most] = [mark, end];
  }
  return best;
}

function reach(runs: readonly Run[], at: number, mark: Mark): number {
  let end = at;
  while (runs[end]?.[mark]) end += 1;
  return end;
}

function wrapped(
  text: string,
  sign: string,
  letterBefore: boolean,
  letterAfter: boolean,
): string {
  const core = text.trim();
  if (core === "") return text;
  const start = text.indexOf(core);
  let inner = core;
  let before = text.slice(0, start);
  let after = text.slice(start + core.length);
  if (letterBefore && before === "") {
    const punctuation = /^[^\p{L}\p{N}\s\\*~[`!(]+/u.exec(inner)?.[0] ?? "";
    before = punctuation;
    inner = inner.slice(punctuation.length);
    if (!/^[*~]*[\p{L}\p{N}]/u.test(inner)) return text;
  }
  if (letterAfter && after === "") {
    const length = trailingPunctuation(inner);
    after = inner.slice(inner.length - length);
    inner = inner.slice(0, inner.length - length);
    // emphasis that ends with a sign, next to a letter, would not be recognised
    if (!/[\p{L}\p{N}][*~]*$/u.test(inner)) return text;
  }
  return `${before}${sign}${inner}${sign}${after}`;
}

/** The length of the end that is neither letters nor marks of inner emphasis. */
function trailingPunctuation(text: string): number {
  let at = text.length;
  while (at > 0 && /[^\p{L}\p{N}\s*~\])`\\]/u.test(text[at - 1] ?? "")) at -= 1;
  return text[at - 1] === "\\" ? 0 : text.length - at;
}
