/** A piece of text with one look. */
export interface Run {
  text: string;
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
  /** An address that may be shown as a link: http, https or mailto. */
  link?: string;
}

export interface ListItem {
  /** Of a task list. */
  checked?: boolean;
  blocks: Block[];
}

export interface Table {
  kind: "table";
  align: ("left" | "center" | "right" | null)[];
  header: Run[][];
  rows: Run[][][];
}

/** A document as a plain tree that every export walks. */
export type Block =
  | { kind: "heading"; depth: number; runs: Run[] }
  | { kind: "paragraph"; runs: Run[] }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | Table
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "rule" };

/** Nothing but these schemes becomes a link: no script, no file of the reader's machine. */
export function linkTo(address: string): { link?: string } {
  return /^(https?:\/\/|mailto:)/i.test(address) ? { link: address } : {};
}

/** What a run looks like, without its text. */
export type Look = Omit<Run, "text">;

/** Runs of one look become one. */
export function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && hasSameLook(last, run)) last.text += run.text;
    else joined.push({ ...run });
  }
  return joined;
}

function hasSameLook(one: Run, other: Run): boolean {
  return (["bold", "italic", "strike", "code", "link"] as const).every(
    (part) => one[part] === other[part],
  );
}
