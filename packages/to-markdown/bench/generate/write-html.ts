import type {
  Look,
  SourceBlock,
  SourceDocument,
  SourceTable,
  TableLook,
} from "./document.ts";
import { headingText } from "./truth.ts";

/** Writes the document as a web page for browsers and other programs that print HTML. */
export function writeHtml({ blocks, language, look }: SourceDocument): string {
  const direction = language === "ar" || language === "he" ? "rtl" : "ltr";
  const body = blocks.map((block) => htmlOf(block, look)).join("\n");
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">
<style>${styleOf(look)}</style></head><body>${look.framed ? '<div class="page-frame"></div>' : ""}
${body}</body></html>`;
}

function htmlOf(block: SourceBlock, look: Look): string {
  switch (block.type) {
    case "title":
      return `<h1>${escaped(block.text)}</h1>`;
    case "heading":
      return `<h${block.level}>${escaped(headingText(block))}</h${block.level}>`;
    case "paragraph":
      return `<p>${escaped(block.text)}</p>`;
    case "caption":
      return `<p class="caption">${escaped(block.text)}</p>`;
    case "formula":
      throw new Error("The set has formulas of TeX and Typst.");
    case "list": {
      const items = block.items.map(({ text, items }) => {
        const inner = items.map((item) => `<li>${escaped(item)}</li>`).join("");
        return `<li>${escaped(text)}${inner && `<ul>${inner}</ul>`}</li>`;
      });
      return block.ordered ? `<ol>${items.join("")}</ol>` : `<ul>${items.join("")}</ul>`;
    }
    case "table":
      return htmlOfTable(block.table, look);
    case "columns": {
      const columns = block.columns.map((column) =>
        column.map((each) => htmlOf(each, look)).join(""),
      );
      return block.flowing
        ? `<div class="flow">${columns.join("")}</div>`
        : `<div class="beside">${columns.map((each) => `<div>${each}</div>`).join("")}</div>`;
    }
    case "fields":
      return block.fields
        .map(
          ({ label, value }) =>
            `<p class="field">${escaped(label)} <span class="value">${escaped(value)}</span></p>`,
        )
        .join("");
    case "notes":
      return `<div class="notes">${block.notes.map((note, at) => `<p><sup>${at + 1}</sup> ${escaped(note)}</p>`).join("")}</div>`;
  }
}

function htmlOfTable(table: SourceTable, look: Look): string {
  const rows = table.rows.map((row, y) => {
    const tag = y < table.headRows ? "th" : "td";
    const cells = row.map(({ text, across, down, table: inner }, x) => {
      const at = table.columns - row.length + x;
      const right = table.numbers[at] && y >= table.headRows ? ' class="number"' : "";
      const heat =
        table.look === "heat" && y >= table.headRows
          ? ` style="background:${heatOf(text, look)}"`
          : "";
      const spans = `${across > 1 ? ` colspan="${across}"` : ""}${down > 1 ? ` rowspan="${down}"` : ""}`;
      return `<${tag}${spans}${right}${heat}>${escaped(text)}${inner ? htmlOfTable(inner, look) : ""}</${tag}>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const [head, body] = [rows.slice(0, table.headRows), rows.slice(table.headRows)];
  return `<table class="${table.look}"><thead>${head.join("")}</thead><tbody>${body.join("")}</tbody></table>`;
}

const HEAT = ["#fadbd8", "#fdebd0", "#fcf3cf", "#d5f5e3", "#d6eaf8"];
const heatOf = (text: string, { pale }: Look): string =>
  HEAT[text.length % HEAT.length] ?? pale;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function styleOf(look: Look): string {
  const { size, margin, accent, pale, headingSizes, headingColour } = look;
  const sizes = headingSizes
    .map((each, at) => `h${at + 1}{font-size:${(each * size).toFixed(1)}pt}`)
    .join("");
  return `
@page { size: ${look.paper}; margin: ${margin}mm; }
body { margin: 0; font: ${size}pt/${look.leading} "${look.font}", "Noto Sans CJK SC", "Noto Sans Arabic", "Noto Sans Hebrew", sans-serif; }
p { margin: 0 0 ${(size * 0.8).toFixed(1)}pt; ${look.justified ? "text-align: justify; hyphens: auto;" : ""} }
h1, h2, h3, h4 { margin: ${size}pt 0 ${(size * 0.5).toFixed(1)}pt; line-height: 1.2; color: ${headingColour}; font-weight: ${look.headingBold ? "bold" : "normal"}; ${headingRule(look)} break-after: avoid; }
${sizes}
.caption { font-style: italic; font-size: ${(size * 0.9).toFixed(1)}pt; }
.page-frame { position: fixed; inset: 0; border: 1.5pt solid ${accent}; }
.flow { columns: 2; column-gap: 8mm; }
.beside { display: flex; gap: 10mm; } .beside > div { flex: 1; }
.field { margin: 0 0 6pt; } .value { border: 0.7pt solid #888; padding: 1pt 4pt; min-width: 60mm; display: inline-block; }
.notes { border-top: 0.7pt solid; margin-top: 12pt; font-size: ${(size * 0.8).toFixed(1)}pt; } .notes p { margin: 2pt 0; }
${look.framed ? "body { padding: 5mm; }" : ""}
table { border-collapse: collapse; margin: 0 0 ${size}pt; ${size % 2 === 0 ? "width: 100%;" : ""} }
th, td { padding: ${look.cellPadding}pt ${look.cellPadding + 3}pt; text-align: start; vertical-align: ${margin > 20 ? "top" : "middle"}; }
tr { break-inside: avoid; }
.number { text-align: end; }
th { font-weight: ${look.cellPadding === 3 ? "normal" : "bold"}; }
${tableStyle("grid", "th, td", `border: 0.7pt solid #000`)}
${tableStyle("levels", "th, td", `border-bottom: 0.6pt solid #888`)}
.book { border-top: 1.2pt solid; border-bottom: 1.2pt solid; } .book thead tr:last-child th { border-bottom: 0.6pt solid; }
${tableStyle("uprights", "th, td", `border-left: 0.6pt solid; border-right: 0.6pt solid`)}
.frame { border: 1pt solid #000; }
.zebra tbody tr:nth-child(even) { background: ${pale}; }
.head-fill thead { background: ${accent}; color: white; }
.blocks th { background: ${accent}; color: #fff; } .blocks td { background: ${pale}; } .blocks { border-collapse: separate; border-spacing: 2pt; }
.heat th { background: #ddd; }
.white-grid th, .white-grid td { background: ${pale}; border: 1.5pt solid #fff; }
${tableStyle("dashed", "th, td", `border: 0.7pt dashed #555`)}
`;
}

const tableStyle = (look: TableLook, cells: string, rule: string): string =>
  cells
    .split(", ")
    .map((each) => `.${look} ${each} { ${rule}; }`)
    .join(" ");

function headingRule({ headingStyle, pale }: Look): string {
  switch (headingStyle) {
    case "centred":
      return "text-align: center;";
    case "underlined":
      return "border-bottom: 0.7pt solid #888;";
    case "band":
      return `background: ${pale}; padding: 2pt 4pt;`;
    case "italic":
      return "font-style: italic;";
    default:
      return "";
  }
}
