/** A piece of text with one style. */
export interface TextRun {
  text: string;
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
  /** A link target with a permitted scheme: http, https or mailto. */
  link?: string;
}

export interface ListItem {
  /** Set for an item of a task list. */
  checked?: boolean;
  blocks: Block[];
}

export interface Table {
  kind: "table";
  align: ("left" | "center" | "right" | null)[];
  header: TextRun[][];
  rows: TextRun[][][];
}

/** A document as a plain tree, which every export renders. */
export type Block =
  | { kind: "heading"; depth: number; runs: TextRun[] }
  | { kind: "paragraph"; runs: TextRun[] }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | Table
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "rule" };

/** Only these schemes become links: no script, and no file on the reader's machine. */
export function linkTo(address: string): { link?: string } {
  return /^(https?:\/\/|mailto:)/i.test(address) ? { link: address } : {};
}

/** The style of a run, without its text. */
export type Look = Omit<TextRun, "text">;

/** Joins neighbouring runs of the same style. */
export function joinRuns(runs: readonly TextRun[]): TextRun[] {
  const joined: TextRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && hasSameLook(last, run)) last.text += run.text;
    else joined.push({ ...run });
  }
  return joined;
}

function hasSameLook(one: TextRun, other: TextRun): boolean {
  return (["bold", "italic", "strike", "code", "link"] as const).every(
    (part) => one[part] === other[part],
  );
}
