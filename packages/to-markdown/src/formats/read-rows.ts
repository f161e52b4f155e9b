import { openArchive } from "./archive.ts";
import { readOdfGrid } from "./odf/odf-table.ts";
import { openPackage } from "./ooxml/open-package.ts";
import { tooComplex } from "./refuse-file.ts";
import { type Formats } from "./xlsx/format-value.ts";
import { readSheet } from "./xlsx/read-sheet.ts";
import { findSheet, readSharedParts } from "./xlsx/read-xlsx.ts";
import { attributeOf, childOf, elementsOf, readXmlTree } from "./xml-tree.ts";

/** The limit for all sheets of a file together. */
const MAX_CELLS = 20_000_000;
/** A tree of all cells is held while an OpenDocument sheet is read. */
const MAX_TREE_CELLS = 4_000_000;
const MAX_SHEETS = 100;

/** Takes the rows with content of a file, sheet after sheet. */
export interface RowTaker {
  sheet(name: string): void;
  /** Cells by their column from 0: numbers with a point, dates as ISO 8601, texts as they are. */
  row(cells: ReadonlyMap<number, string>): void;
}

/**
 * Reads the values of a workbook as they are computed with: without currencies, percent signs or
 * thousands separators. Numbers whose format makes identifiers of them keep it: 00501.
 * @throws FileError `file_damaged`, `file_encrypted`, `too_complex`.
 */
export async function readXlsxRows(bytes: Uint8Array, taker: RowTaker): Promise<void> {
  const office = await openPackage(bytes, "xl/workbook.xml");
  const { archive, main } = office;
  const relationships = await office.relationships(main);
  const workbook = elementsOf(await readXmlTree(archive.text(main)))[0];
  const warnings: string[] = [];
  const shared = await readSharedParts(archive, relationships, workbook, warnings);
  const { strings } = shared;
  const formats = withoutSigns(shared.formats);
  let room = MAX_CELLS;
  for (const element of elementsOf(childOf(workbook, "sheets"), "sheet").slice(
    0,
    MAX_SHEETS,
  )) {
    const sheet = findSheet({ office, relationships, warnings }, element);
    if (!sheet) continue;
    taker.sheet(sheet.name);
    const { count, cut } = await readSheet(
      archive,
      sheet.path,
      strings,
      formats,
      room,
      (_, cells) => taker.row(cells),
    );
    if (cut) throw tooManyCells(MAX_CELLS);
    room -= count;
  }
}

/** The same for OpenDocument. */
export async function readOdsRows(bytes: Uint8Array, taker: RowTaker): Promise<void> {
  const archive = await openArchive(bytes);
  const content = elementsOf(
    await readXmlTree(archive.text("content.xml"), {
      skip: new Set(["tracked-changes", "annotation", "scripts", "font-face-decls"]),
    }),
  )[0];
  const body = elementsOf(childOf(content, "body"))[0];
  let room = MAX_TREE_CELLS;
  for (const table of elementsOf(body, "table").slice(0, MAX_SHEETS)) {
    taker.sheet(attributeOf(table, "name") ?? "");
    const grid = readOdfGrid(table, room);
    if (grid.cut) throw tooManyCells(MAX_TREE_CELLS);
    room -= grid.count;
    for (const [, cells] of grid.rows) taker.row(cells);
  }
}

/** Formats that only make identifiers: all digits are given, with signs between them. */
const IDENTIFIER = /^(?=.*00)(?:"[^"]*"|\\.|[0\-/ ])+$/;

function withoutSigns({ kindOf, codeOf, date1904 }: Formats): Formats {
  return {
    date1904,
    kindOf: (style) => {
      const kind = kindOf(style);
      return kind === "percent" ? "number" : kind;
    },
    codeOf: (style) => {
      const code = codeOf(style);
      return code !== undefined && IDENTIFIER.test(code) ? code : undefined;
    },
  };
}

function tooManyCells(most: number) {
  return tooComplex(`its sheets have more than ${most} cells`);
}
