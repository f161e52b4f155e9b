import type {
  AttachedFile,
  PageQuality,
  ParsedFile,
  ParsedImage,
  ParsedTable,
  TextLayout,
} from "../parsed-file.ts";
import { countCharacters } from "../count-characters.ts";
import type { Block } from "./blocks.ts";
import { layOut } from "./lay-out-table.ts";
import { layOutRecords } from "./write-records.ts";
import { collectPlaces, namesOfParts } from "./places-of-blocks.ts";
import { writeMarkdown } from "./write-markdown.ts";

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
