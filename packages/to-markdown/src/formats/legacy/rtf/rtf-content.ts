import { type Block, paragraph, type Run, textOf, type Cell } from "../../blocks.ts";
import type { RtfState } from "./rtf-state.ts";
import { type ListMarker, listMarker } from "../../list-labels.ts";
import { isLayout } from "../../lay-out-table.ts";

/** Collects the runs of a document into paragraphs, lists, tables, notes and pages. */
export class RtfContent {
  readonly tables = rtfTables();
  readonly #lists = rtfLists();
  readonly #blocks: Block[] = [];
  #runs: Run[] = [];
  /** The blocks of the open cell. */
  #cell: Block[] = [];
  #marker = "";
  readonly #notes: Run[][] = [];
  #note: Run[] | undefined;
  #noteDepth = 0;
  #noteCount = 0;

  /** Adds text to the open note or paragraph. */
  addText(run: Run): void {
    (this.#note ?? this.#runs).push(run);
  }

  addPicture(name: string): void {
    this.#runs.push({ text: "", image: name });
  }

  /** Adds to the number or bullet before the paragraph. */
  addMarker(text: string): void {
    this.#marker += text;
  }

  get isInNote(): boolean {
    return this.#note !== undefined;
  }

  /** `depth`: the number of open groups. */
  startNote(depth: number): void {
    this.#noteCount += 1;
    this.#runs.push({ raw: true, text: `[^${this.#noteCount}]` });
    this.#note = [{ raw: true, text: `[^${this.#noteCount}]: ` }];
    this.#noteDepth = depth;
  }

  /** Ends the open note when its group has ended. */
  endNote(depth: number): void {
    if (!this.#note || depth >= this.#noteDepth) return;
    this.#notes.push(
      this.#note.filter(({ text }, index) => index !== 1 || text.trim() !== ""),
    );
    this.#note = undefined;
  }

  /** `level`: that of a heading. */
  endParagraph(state: RtfState, level: number | undefined): void {
    const mark = this.#marker.trim();
    this.#marker = "";
    const runs = this.#runs;
    this.#runs = [];
    if (textOf(runs).trim() === "" && !runs.some(({ image }) => image !== undefined))
      return;
    const into = state.inTable ? this.#cell : this.#blocks;
    if (!state.inTable && this.tables.isOpen()) this.#blocks.push(...this.tables.finish());
    const item = this.#lists.itemOf(mark, state);
    if (item) {
      const { label, ...rest } = item;
      into.push(paragraph(label === "" ? runs : [{ text: `${label} ` }, ...runs], rest));
    } else if (level !== undefined && !state.inTable)
      into.push({ kind: "heading", level, runs });
    else into.push(paragraph(runs));
  }

  endCell(state: RtfState, level: number | undefined): void {
    this.endParagraph(state, level);
    // the properties of the paragraph may say that it is outside of the table
    this.tables.endCell(this.#cell);
    this.#cell = [];
  }

  breakPage(state: RtfState, level: number | undefined): void {
    this.endParagraph(state, level);
    if (state.inTable) return;
    this.#blocks.push(...this.tables.finish());
    this.#writeNotes();
    this.#blocks.push({ kind: "page" });
  }

  finish(state: RtfState, level: (state: RtfState) => number | undefined): Block[] {
    this.endParagraph(state, level(state));
    if (this.#cell.length > 0) this.endCell(state, level(state));
    this.#blocks.push(...this.tables.finish());
    this.#writeNotes();
    return this.#blocks;
  }

  #writeNotes(): void {
    for (const runs of this.#notes.splice(0)) this.#blocks.push(paragraph(runs));
  }
}

/**
 * Recognises list items by their markers and indentation, the only properties that all programs
 * write.
 */
function rtfLists() {
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
    itemOf(mark: string, state: RtfState): (ListMarker & { depth: number }) | undefined {
      const before = last;
      last = undefined;
      if (mark === "" && (state.list <= 0 || before?.list !== state.list)) {
        indents = [];
        return undefined;
      }
      const number = mark === "" && before ? before.number + 1 : numberIn(mark);
      last = { list: state.list, number };
      const depth = depthOf(state);
      if (Number.isNaN(number)) return { depth, marker: "-", label: "" };
      return { depth, ...listMarker(mark === "" ? `${number}.` : mark) };
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

interface CellPlan {
  down: "first" | "goes on" | "none";
  right: "first" | "goes on" | "none";
  edge: number;
}

/**
 * Collects tables: `\trowd` begins a row, `\cell` ends a cell, and a paragraph outside ends the
 * table. Supports one level; deeper tables become text of their cell.
 */
function rtfTables() {
  let rows: { cells: Block[][]; plans: CellPlan[] }[] = [];
  let cells: Block[][] = [];
  let plans: CellPlan[] = [];
  let next: Omit<CellPlan, "edge"> = { down: "none", right: "none" };

  return {
    isOpen: () => rows.length > 0 || cells.length > 0,
    startRow() {
      plans = [];
    },
    plan(name: string, value: number | undefined) {
      if (name === "clvmgf") next.down = "first";
      else if (name === "clvmrg") next.down = "goes on";
      else if (name === "clmgf") next.right = "first";
      else if (name === "clmrg") next.right = "goes on";
      else {
        plans.push({ ...next, edge: value ?? 0 });
        next = { down: "none", right: "none" };
      }
    },
    endCell(blocks: Block[]) {
      cells.push(blocks);
    },
    endRow() {
      if (cells.length > 0) rows.push({ cells, plans: [...plans] });
      cells = [];
    },
    /** Ends the table and returns its blocks. */
    finish(): Block[] {
      if (cells.length > 0) this.endRow();
      const done = spanned(rows);
      rows = [];
      if (done.length === 0) return [];
      return isLayout(done)
        ? done.flatMap((row) => row.flatMap((cell) => cell.blocks))
        : [{ kind: "table", rows: done, depth: 0, quote: 0 }];
    },
  };
}

function spanned(rows: readonly { cells: Block[][]; plans: CellPlan[] }[]): Cell[][] {
  /** By the right edge of its column, the cell that the next row may continue */
  let open = new Map<number, Cell>();
  return rows.map(({ cells, plans }) => {
    const row: Cell[] = [];
    const below = new Map<number, Cell>();
    for (const [index, blocks] of cells.entries()) {
      const plan = plans[index];
      const above = plan?.down === "goes on" ? open.get(plan.edge) : undefined;
      const aside = plan?.right === "goes on" ? row.at(-1) : undefined;
      if (above && plan) {
        above.rows += 1;
        below.set(plan.edge, above);
      } else if (aside) aside.columns += 1;
      else {
        const cell: Cell = { blocks, columns: 1, rows: 1 };
        row.push(cell);
        if (plan?.down === "first") below.set(plan.edge, cell);
      }
    }
    open = below;
    return row;
  });
}
