import {
  type AttachedFile,
  type PageQuality,
  type ParsedFile,
  type ParsedImage,
  type ParsedTable,
  type TextLayout,
  layoutName,
  MAX_LAYOUT_LINES,
  MAX_LAYOUT_NAMES,
} from "../parsed-file.ts";
import { countCharacters } from "../count-characters.ts";
import { type Block, textOf } from "./blocks.ts";
import { layOut } from "./lay-out-table.ts";
import { layOutRecords } from "./write-records.ts";
import { writeMarkdown, type OnBlock } from "./write-markdown.ts";

/** The result of a format's reader; `page` blocks separate its pages. */
export interface FileContent {
  blocks: Block[];
  title?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
  warnings?: string[];
  /** What `page` blocks separate. Default: `none`, and such blocks are left out. */
  layout?: TextLayout["kind"];
  /** The names of its chapters, where they have no heading. */
  names?: readonly string[];
  images?: Omit<ParsedImage, "page">[];
  attachments?: AttachedFile[];
}

export interface ReadOptions {
  extractTables?: boolean | undefined;
  extractImages?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Reads a document that a part of the file is; undefined for one that cannot be read. */
  readPart?:
    | ((bytes: Uint8Array, name: string) => Promise<Block[] | undefined>)
    | undefined;
}

/** Converts the result of a reader to that of every backend. @throws FileError `too_complex`. */
export function finishFile(
  content: FileContent,
  { extractTables, extractImages }: ReadOptions,
): ParsedFile {
  const { layout: kind = "none" } = content;
  const blocks =
    kind === "none"
      ? content.blocks.filter((block) => block.kind !== "page")
      : content.blocks;
  const places = collectPlaces(kind);
  const markdown = writeMarkdown(blocks, places.onBlock);
  const pages = markdown.split("\f");
  const { imagesOn, pageOf } = imagesByPage(blocks);
  const names =
    kind === "sheets" || kind === "chapters"
      ? namesOfParts(blocks).map((name, at) => name || (content.names?.[at] ?? ""))
      : [];
  const language = /^[a-z]{2,3}(?=$|[-_])/.exec(
    content.language?.trim().toLowerCase() ?? "",
  )?.[0];
  return {
    markdown,
    pages: pages.length,
    layout: { ...places.finish(pages.length), ...(names.some(Boolean) && { names }) },
    ...nonEmpty({
      title: content.title,
      author: content.author,
      language: language === "und" ? undefined : language,
    }),
    warnings: content.warnings ?? [],
    pageQuality: pages.map((text, index): PageQuality => ({
      page: index + 1,
      characters: countCharacters(text),
      images: imagesOn[index] ?? 0,
    })),
    ...(content.attachments?.length ? { attachments: content.attachments } : {}),
    ...(extractTables ? { tables: tablesOf(blocks) } : {}),
    ...(extractImages
      ? {
          images: (content.images ?? []).map((image) => ({
            page: pageOf.get(image.name) ?? 1,
            ...image,
          })),
        }
      : {}),
  };
}

function nonEmpty(
  values: Pick<FileContent, "title" | "author" | "language">,
): Pick<ParsedFile, "title" | "author" | "language"> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const text = value?.replace(/\s+/g, " ").trim().slice(0, 500);
      return text ? [[key, text]] : [];
    }),
  );
}

function imagesByPage(blocks: readonly Block[]): {
  imagesOn: number[];
  pageOf: Map<string, number>;
} {
  const imagesOn: number[] = [];
  const pageOf = new Map<string, number>();
  let page = 1;
  const visit = (inner: readonly Block[]) => {
    for (const block of inner) {
      if (block.kind === "page") page += 1;
      else if (block.kind === "table")
        for (const row of block.rows) for (const cell of row) visit(cell.blocks);
      else if ("runs" in block) {
        for (const { image } of block.runs) {
          if (image === undefined) continue;
          imagesOn[page - 1] = (imagesOn[page - 1] ?? 0) + 1;
          if (!pageOf.has(image)) pageOf.set(image, page);
        }
      }
    }
  };
  visit(blocks);
  return { imagesOn, pageOf };
}

function tablesOf(blocks: readonly Block[]): ParsedTable[] {
  const tables: ParsedTable[] = [];
  let page = 1;
  for (const block of blocks) {
    if (block.kind === "page") page += 1;
    if (block.kind !== "table" && block.kind !== "records") continue;
    const rows = block.kind === "table" ? layOut(block.rows) : layOutRecords(block);
    if (rows.length > 0) tables.push({ page, rows });
  }
  return tables;
}

type Lines = NonNullable<TextLayout["lines"]>;

interface Places {
  onBlock: OnBlock;
  /** @returns the layout of a text with so many parts. */
  finish(parts: number): TextLayout;
}

/** Collects where the rows of sheets, and of tables over several pages, stand in the text. */
function collectPlaces(kind: TextLayout["kind"]): Places {
  const lines: Lines = [];
  const add = (part: number, line: number, number: number) => {
    if (lines.length > MAX_LAYOUT_LINES) return;
    // from here on nothing is known
    lines.push([part, line, lines.length === MAX_LAYOUT_LINES ? 0 : number]);
  };
  const addRow = (part: number, line: number, row: number) => {
    const last = lines.at(-1);
    // a part begins without rows
    const isKnown = row === 0 && (last?.[0] !== part || last[2] === 0);
    if (!isKnown) add(part, line, row);
  };
  return {
    onBlock(block, { part, line, text }) {
      if (kind === "sheets")
        addRows(block, text, (at, row) => addRow(part, line + at, row));
      else if (kind === "pages" && block.kind === "table" && block.pagesOn)
        addPages(block.pagesOn, text, (at, pages) =>
          add(part, line + at, pages === undefined ? 0 : part + pages),
        );
    },
    finish: (parts) => ({ kind, parts, ...(lines.length > 0 && { lines }) }),
  };
}

/** The names of parts: the first heading of each. */
function namesOfParts(blocks: readonly Block[]): string[] {
  const names = [""];
  for (const block of blocks) {
    if (block.kind === "page") {
      if (names.length >= MAX_LAYOUT_NAMES) break;
      names.push("");
    } else if (block.kind === "heading" && names.at(-1) === "")
      names[names.length - 1] = layoutName(textOf(block.runs));
  }
  return names;
}

/** @param add takes a line of the block, from 0, and its row; 0 for a line that is no row. */
function addRows(
  block: Parameters<OnBlock>[0],
  text: string,
  add: (line: number, row: number) => void,
): void {
  const lines = text.split("\n").length;
  if (block.kind === "paragraph" && block.sheetRow !== undefined)
    for (let line = 0; line < lines; line += 1) add(line, block.sheetRow);
  else if (block.kind === "records") addSuccessive(block.numbers(), add);
  else if (block.kind === "table" && block.sheetRows?.length === lines - 1)
    addSuccessive(block.sheetRows, add);
  else return add(0, 0);
  add(lines, 0);
}

/** Adds the rows of a pipe table, whose second line is no row. */
function addSuccessive(
  rows: Iterable<number>,
  add: (line: number, row: number) => void,
): void {
  let line = 0;
  let before = NaN;
  for (const row of rows) {
    if (row !== before + 1 || line === 2) add(line, row);
    if (line === 0) add(1, 0);
    line += line === 0 ? 2 : 1;
    before = row;
  }
}

/** Adds the rows of a table that are on a later page than the row above. */
function addPages(
  pagesOn: readonly number[],
  text: string,
  add: (line: number, pages: number | undefined) => void,
): void {
  const isWhole = pagesOn.length === text.split("\n").length - 1;
  let before = 0;
  for (const [row, pages] of pagesOn.entries()) {
    if (pages !== before) add(row === 0 ? 0 : row + 1, isWhole ? pages : undefined);
    before = pages;
  }
}
