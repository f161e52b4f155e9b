import { escapeMarkup } from "../platform/escape-markup.ts";
import type { VariantFigures } from "../services/retrieval/contract-evaluation.ts";

const MEASURES = [
  { title: "nDCG@10", color: "#1b4d8f", of: ({ ndcgAt10 }: VariantFigures) => ndcgAt10 },
  {
    title: "recall@10",
    color: "#5b8fd0",
    of: ({ recallAt10 }: VariantFigures) => recallAt10,
  },
  { title: "MRR@10", color: "#b9d0ee", of: ({ mrrAt10 }: VariantFigures) => mrrAt10 },
] as const;

const BAR_CHARACTERS = 20;

/** Draws figures as a table with a bar of nDCG, for a terminal. */
export function drawFigures(figures: readonly VariantFigures[]): string {
  const titles = ["", ...MEASURES.map(({ title }) => title), "ms"];
  const rows = figures.map((one) => [
    one.name,
    ...MEASURES.map(({ of }) => of(one).toFixed(3)),
    one.medianMs.toFixed(0),
  ]);
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) =>
        at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join("  ");
  const bars = figures.map(({ ndcgAt10 }) =>
    "█".repeat(Math.round(ndcgAt10 * BAR_CHARACTERS)),
  );
  return [line(titles), ...rows.map((row, at) => `${line(row)}  ${bars[at]}`)].join("\n");
}

const LABEL_WIDTH = 260;
const PLOT_WIDTH = 480;
const BAR_HEIGHT = 12;
const GAP = 14;
const TOP = 40;
const GRID = [0, 0.25, 0.5, 0.75, 1];

/** Plots figures as horizontal bars, in SVG. */
export function plotFigures(figures: readonly VariantFigures[]): string {
  const rowHeight = MEASURES.length * BAR_HEIGHT + GAP;
  const height = TOP + figures.length * rowHeight + GAP;
  const width = LABEL_WIDTH + PLOT_WIDTH + 60;
  const grid = GRID.map((share) => {
    const x = LABEL_WIDTH + share * PLOT_WIDTH;
    return `<path d="M${x} ${TOP - 6}V${height - GAP}" stroke="#ddd"/>${text(x, 30, String(share), "middle")}`;
  });
  const legend = MEASURES.map(
    ({ title, color }, at) =>
      `<rect x="${8 + at * 84}" y="8" width="10" height="10" fill="${color}"/>` +
      text(22 + at * 84, 17, title),
  );
  const rows = figures.map((one, at) => plotRow(one, TOP + at * rowHeight));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>\n` +
    `${[...grid, ...legend, ...rows].join("\n")}\n</svg>\n`
  );
}

function plotRow(figures: VariantFigures, y: number): string {
  const middle = y + (MEASURES.length * BAR_HEIGHT) / 2 + 4;
  const bars = MEASURES.map(({ of, color }, at) => {
    const length = of(figures) * PLOT_WIDTH;
    const top = y + at * BAR_HEIGHT;
    return (
      `<rect x="${LABEL_WIDTH}" y="${top}" width="${length.toFixed(1)}" ` +
      `height="${BAR_HEIGHT - 2}" fill="${color}"/>` +
      text(LABEL_WIDTH + length + 4, top + BAR_HEIGHT - 2, of(figures).toFixed(3))
    );
  });
  return text(LABEL_WIDTH - 8, middle, figures.name, "end") + bars.join("");
}

function text(x: number, y: number, content: string, anchor = "start"): string {
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeMarkup(content)}</text>`;
}
