import { type Block, paragraph, type Run, textOf } from "../blocks.ts";
import { rtfLists } from "./rtf-lists.ts";
import type { RtfState } from "./rtf-state.ts";
import { rtfTables } from "./rtf-tables.ts";

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
    if (item) into.push(paragraph(runs, item));
    else if (level !== undefined && !state.inTable)
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
