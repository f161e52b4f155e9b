import { z } from "zod";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import type { ParsedFile, ParsedTable } from "@parlance/to-markdown/parsed-file.ts";

const Span = z.object({ offset: z.number().int().min(0), length: z.number().int().min(0) });
const Region = z.looseObject({ pageNumber: z.number().int() });

/** The part of `AnalyzeResult` (REST API 2024-11-30) that is used. */
export const AnalyzeResult = z.looseObject({
  content: z.string(),
  pages: z
    .array(
      z.looseObject({ pageNumber: z.number().int(), spans: z.array(Span).default([]) }),
    )
    .default([]),
  tables: z
    .array(
      z.looseObject({
        rowCount: z.number().int().max(100_000),
        columnCount: z.number().int().max(10_000),
        cells: z
          .array(
            z.looseObject({
              rowIndex: z.number().int(),
              columnIndex: z.number().int(),
              content: z.string().default(""),
            }),
          )
          .default([]),
        spans: z.array(Span).default([]),
        boundingRegions: z.array(Region).default([]),
      }),
    )
    .default([]),
  figures: z
    .array(z.looseObject({ boundingRegions: z.array(Region).default([]) }))
    .default([]),
  languages: z
    .array(z.looseObject({ locale: z.string(), confidence: z.number() }))
    .default([]),
});
type AnalyzeResult = z.output<typeof AnalyzeResult>;
type Table = AnalyzeResult["tables"][number];

const MAX_CELLS = 1_000_000;

/**
 * Returns the pages, tables and text of an analysis. The service writes tables as HTML; they become
 * Markdown tables here, as for other backends.
 */
export function readAnalysis(analysis: AnalyzeResult): ParsedFile {
  const tables = analysis.tables.map((table) => ({ table, rows: rowsOf(table) }));
  const pages = pagesOf(analysis, tables);
  const language = analysis.languages
    .toSorted((a, b) => b.confidence - a.confidence)[0]
    ?.locale.slice(0, 2);
  return {
    markdown: pages.join("\f"),
    pages: pages.length,
    ...(language && { language }),
    warnings: [],
    pageQuality: pages.map((text, index) => ({
      page: index + 1,
      characters: countCharacters(text),
      images: analysis.figures.filter(
        ({ boundingRegions }) => boundingRegions[0]?.pageNumber === index + 1,
      ).length,
    })),
    tables: tables.map(({ table, rows }): ParsedTable => ({
      page: table.boundingRegions[0]?.pageNumber ?? 1,
      rows,
    })),
  };
}

function pagesOf(
  { content, pages }: AnalyzeResult,
  tables: { table: Table; rows: string[][] }[],
): string[] {
  const replaced = tables
    .flatMap(({ table: { spans }, rows }) =>
      spans[0] && spans.length === 1 ? [{ ...spans[0], text: pipes(rows) }] : [],
    )
    .toSorted((a, b) => a.offset - b.offset);
  const whole = { offset: 0, length: content.length };
  const spans = pages.length > 0 ? pages.map((page) => around(page.spans)) : [whole];
  return spans.map(({ offset, length }) => {
    let text = "";
    let from = offset;
    for (const table of replaced) {
      if (table.offset < from || table.offset + table.length > offset + length) continue;
      text += `${content.slice(from, table.offset)}\n\n${table.text}\n\n`;
      from = table.offset + table.length;
    }
    return clean(text + content.slice(from, offset + length));
  });
}

function around(spans: readonly z.output<typeof Span>[]): z.output<typeof Span> {
  const offset = spans.reduce(
    (least, span) => Math.min(least, span.offset),
    Number.POSITIVE_INFINITY,
  );
  const end = spans.reduce((most, span) => Math.max(most, span.offset + span.length), 0);
  return Number.isFinite(offset)
    ? { offset, length: end - offset }
    : { offset: 0, length: 0 };
}

/** Running heads and page numbers are comments in its Markdown, which a search does not need. */
function clean(text: string): string {
  return text
    .replace(
      /<!-- (?:PageBreak|PageHeader="[^"]*"|PageFooter="[^"]*"|PageNumber="[^"]*") -->/g,
      "",
    )
    .replace(/<\/?figure>/g, "")
    .replaceAll("\f", "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function rowsOf({ rowCount, columnCount, cells }: Table): string[][] {
  if (rowCount * columnCount > MAX_CELLS) return [];
  const rows = Array.from({ length: rowCount }, () =>
    Array.from({ length: columnCount }, () => ""),
  );
  for (const { rowIndex, columnIndex, content } of cells) {
    const row = rows[rowIndex];
    if (row && columnIndex < columnCount) row[columnIndex] = content;
  }
  return rows;
}

function pipes(rows: readonly string[][]): string {
  const [head, ...body] = rows;
  if (!head) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|").trim()).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...body.map(line)].join("\n");
}
