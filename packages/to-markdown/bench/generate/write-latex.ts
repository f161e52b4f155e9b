import { texFormula } from "./formula.ts";
import type { Look, SourceBlock, SourceDocument, SourceTable } from "./document.ts";

const BABEL: Record<string, string> = { en: "english", de: "ngerman", fr: "french" };
/** The widths of a page's text, in characters of body size. */
const LINE_CHARACTERS = 75;

/** Writes the document as LaTeX source. */
export function writeLatex({ blocks, language, look }: SourceDocument): string {
  const paper = { a4: "a4paper", letter: "letterpaper", a5: "a5paper" }[look.paper];
  const size = look.size < 10 ? 10 : Math.min(Math.floor(look.size), 12);
  const numbered = blocks.some(
    (block) => block.type === "heading" && block.number !== undefined,
  );
  return `\\documentclass[${size}pt,${paper}]{article}
\\usepackage[margin=${look.margin}mm]{geometry}
\\usepackage{iftex}
\\ifPDFTeX\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{lmodern}\\usepackage{textcomp}
\\else\\usepackage{fontspec}\\fi
\\usepackage[${BABEL[language] ?? "english"}]{babel}
\\usepackage{array,longtable,booktabs,multicol,multirow,hhline}
\\usepackage[table]{xcolor}
${look.tagged ? "\\usepackage{hyperref}" : ""}
\\pagestyle{${look.running ? "plain" : "empty"}}
\\setcounter{secnumdepth}{${numbered ? 3 : 0}}
\\setlength{\\parindent}{${look.justified ? "1.2em" : "0pt"}}
\\setlength{\\parskip}{${look.justified ? "0pt" : "5pt"}}
\\begin{document}
${blocks.map((block) => latexOf(block, look)).join("\n\n")}
\\end{document}
`;
}

const SECTIONS = ["section", "subsection", "subsubsection"];

function latexOf(block: SourceBlock, look: Look): string {
  switch (block.type) {
    case "title":
      return `{\\raggedright\\noindent\\LARGE\\bfseries ${escaped(block.text)}\\par}\\bigskip`;
    case "heading":
      return `\\${SECTIONS[block.level - 2] ?? "section"}{${escaped(block.text)}}`;
    case "paragraph":
      return escaped(block.text);
    case "caption":
      return `\\begin{center}\\small ${escaped(block.text)}\\end{center}`;
    case "formula": {
      const formula = texFormula(block.formula);
      return block.within
        ? `${escaped(block.within.before)} $${formula}$ ${escaped(block.within.after)}`
        : `\\[ ${formula} \\]`;
    }
    case "list": {
      const kind = block.ordered ? "enumerate" : "itemize";
      const items = block.items.map(({ text, items }) => {
        const inner = items.map((item) => `\\item ${escaped(item)}`).join("\n");
        return `\\item ${escaped(text)}${inner && `\n\\begin{itemize}\n${inner}\n\\end{itemize}`}`;
      });
      return `\\begin{${kind}}\n${items.join("\n")}\n\\end{${kind}}`;
    }
    case "table":
      return latexTable(block.table, look);
    case "columns":
      if (block.flowing)
        return `\\begin{multicols}{2}\n${block.columns
          .flat()
          .map((each) => latexOf(each, look))
          .join("\n\n")}\n\\end{multicols}`;
      return block.columns
        .map(
          (column) =>
            `\\begin{minipage}[t]{${(0.94 / block.columns.length).toFixed(3)}\\linewidth}\\raggedright\n${column.map((each) => latexOf(each, look)).join("\n\n")}\n\\end{minipage}`,
        )
        .join("\\hfill\n");
    case "fields":
      return block.fields
        .map(({ label, value }) => `\\noindent ${escaped(label)} \\fbox{${escaped(value)}}`)
        .join("\n\n");
    case "notes":
      return block.notes
        .map((note, at) => `\\footnotetext[${at + 1}]{${escaped(note)}}`)
        .join("\n");
  }
}

function latexTable(table: SourceTable, look: Look): string {
  const body = latexRows(table, look);
  return table.rows.length > 20 ? body : `\\medskip\\noindent${body}\\medskip`;
}

function latexRows(table: SourceTable, page: Look): string {
  const { look, headRows, rows } = table;
  const upright = ["grid", "uprights", "dashed"].includes(look) ? "|" : "";
  const outer = look === "frame" ? "|" : upright;
  const spec = widthsOf(table)
    .map((width, at) => (width ? `p{${width}\\linewidth}` : table.numbers[at] ? "r" : "l"))
    .join(upright);
  const ruled = ["grid", "levels", "dashed"].includes(look);
  const lines: string[] = [];
  const rule =
    { book: "\\toprule", frame: "\\hline" }[look as string] ?? (ruled ? "\\hline" : "");
  lines.push(rule);
  for (const [y, row] of rows.entries()) {
    if (colourOf(look, y, headRows))
      lines.push(`\\rowcolor{${colourOf(look, y, headRows)}}`);
    lines.push(`${rowOf(table, y, row, page, upright, outer)} \\\\`);
    if (look === "book" && y === headRows - 1) lines.push("\\midrule");
    else if (ruled) lines.push(underOf(table, y));
  }
  lines.push({ book: "\\bottomrule", frame: "\\hline" }[look as string] ?? "");
  const kind = rows.length > 20 ? "longtable" : "tabular";
  return `\\begin{${kind}}{${outer}${spec}${outer}}\n${lines.join("\n")}\n\\end{${kind}}`;
}

/** The share of the line's width for each column; undefined where its text fits on one line. */
function widthsOf({ columns, rows }: SourceTable): (string | undefined)[] {
  const lengths = Array.from({ length: columns }, (_, at) =>
    Math.max(
      ...rows.map((row) => (row.length === columns ? (row[at]?.text.length ?? 0) : 0)),
      3,
    ),
  );
  const all = lengths.reduce((sum, length) => sum + length + 3, 0);
  return lengths.map((length) =>
    all > LINE_CHARACTERS && length > 10
      ? Math.min(0.5, Math.max(0.1, (0.8 * length) / all)).toFixed(2)
      : undefined,
  );
}

function colourOf(
  look: SourceTable["look"],
  y: number,
  headRows: number,
): string | undefined {
  if (look === "zebra") return y % 2 === 1 ? "gray!15" : undefined;
  if (look === "head-fill") return y < headRows ? "blue!20" : undefined;
  return ["blocks", "heat", "white-grid"].includes(look)
    ? ["green!12", "red!12"][y % 2]
    : undefined;
}

/** For each place of a row, the number of further rows that its cell spans. */
function coveredBelow(table: SourceTable, y: number): boolean[] {
  const covered = Array.from({ length: table.columns }, () => false);
  for (let above = 0; above <= y; above += 1) {
    const first = table.rows[above]?.[0];
    if (first && first.down > 1 && above + first.down - 1 > y) covered[0] = true;
  }
  return covered;
}

function underOf(table: SourceTable, y: number): string {
  return coveredBelow(table, y)[0] ? `\\cline{2-${table.columns}}` : "\\hline";
}

function rowOf(
  table: SourceTable,
  y: number,
  row: SourceTable["rows"][number],
  page: Look,
  upright: string,
  outer: string,
): string {
  const cells = y > 0 && coveredBelow(table, y - 1)[0] ? [""] : [];
  for (const { text, across, down, table: inner } of row) {
    const bold = y < table.headRows && page.headingBold;
    const own = bold ? `\\textbf{${escaped(text)}}` : escaped(text);
    const words = inner ? `${own} ${latexRows(inner, page)}` : own;
    const tall = down > 1 ? `\\multirow{${down}}{*}{${words}}` : words;
    const left = cells.length === 0 ? outer : "";
    cells.push(
      across > 1 ? `\\multicolumn{${across}}{${left}c${upright || outer}}{${tall}}` : tall,
    );
  }
  return cells.join(" & ");
}

const escaped = (text: string): string =>
  text
    .replace(/[\\{}]/g, "")
    .replace(/[#$%&_]/g, (character) => `\\${character}`)
    .replaceAll("~", "\\textasciitilde{}")
    .replaceAll("€", "\\texteuro{}")
    .replaceAll("³", "\\textthreesuperior{}")
    .replaceAll("°", "\\textdegree{}");
