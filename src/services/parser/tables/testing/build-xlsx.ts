import {
  buildZip,
  relationships,
} from "@parlance/to-markdown/formats/build-zip.test-support.ts";

/** A cell: text, a number, or a number with the index of a format. */
export type XlsxCell = string | number | { value: number; style: number };

/** Formats by their index, from 1. */
export const STYLES = { date: 1, fiveDigits: 2, euro: 3, percent: 4 };
const FORMATS = ["yyyy-mm-dd", "00000", '#,##0.00\\ "€"', "0%"];

/** Builds a workbook of these sheets. */
export function buildXlsx(
  sheets: Record<string, readonly (readonly XlsxCell[])[]>,
): Buffer {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    "_rels/.rels": relationships({ rId1: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      ...Object.fromEntries(
        names.map((_, at) => [
          `rId${at + 1}`,
          ["worksheet", `worksheets/sheet${at + 1}.xml`] as [string, string],
        ]),
      ),
      styles: ["styles", "styles.xml"],
    }),
    "xl/styles.xml": `<styleSheet><numFmts>${FORMATS.map(
      (code, at) =>
        `<numFmt numFmtId="${170 + at}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
    ).join("")}</numFmts><cellXfs><xf numFmtId="0"/>${FORMATS.map(
      (_, at) => `<xf numFmtId="${170 + at}"/>`,
    ).join("")}</cellXfs></styleSheet>`,
  };
  for (const [at, name] of names.entries())
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet><sheetData>${(
      sheets[name] ?? []
    )
      .map((row) => `<row>${row.map(toCell).join("")}</row>`)
      .join("")}</sheetData></worksheet>`;
  return buildZip(parts);
}

function toCell(cell: XlsxCell): string {
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`;
  if (typeof cell === "string") return `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  return `<c s="${cell.style}"><v>${cell.value}</v></c>`;
}
