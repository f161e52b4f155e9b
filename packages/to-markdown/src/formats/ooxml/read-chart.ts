import type { Archive } from "../archive.ts";
import { type Block, paragraph, textCell } from "../blocks.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  findAll,
  findIn,
  readXmlTree,
  textIn,
} from "../xml-tree.ts";

const MAX_POINTS = 2_000;

/** Converts a chart to a table of its numbers, after its title. Source: ECMA-376 part 1, 21.2. */
export async function readChart(archive: Archive, path: string): Promise<Block[]> {
  const space = childOf(await readXmlTree(archive.text(path)), "chartSpace");
  const title = findAll(childOf(space, "chart", "title"), "t")
    .map(textIn)
    .join("");
  const series = findAll(childOf(space, "chart", "plotArea"), "ser").slice(0, 50);
  const named = series.map((element) => ({
    name: textIn(findIn(childOf(element, "tx"), "v")),
    categories: pointsOf(childOf(element, "cat") ?? childOf(element, "xVal")),
    values: pointsOf(childOf(element, "val") ?? childOf(element, "yVal")),
  }));
  const categories = named.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...named.map(({ values }) => values.length));
  const blocks: Block[] = title === "" ? [] : [paragraph([{ text: title, bold: true }])];
  if (!Number.isFinite(length) || length === 0) return blocks;
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? "",
    ...named.map(({ values }) => values[index] ?? ""),
  ]);
  const table = [["", ...named.map(({ name }) => name)], ...rows].map((row) =>
    row.map(textCell),
  );
  return [...blocks, { kind: "table", rows: table, depth: 0, quote: 0 }];
}

function pointsOf(element: Element | undefined): string[] {
  const points: string[] = [];
  const cache =
    findIn(element, "lvl") ?? findIn(element, "strCache") ?? findIn(element, "numCache");
  for (const point of elementsOf(cache, "pt")) {
    const index = Number(attributeOf(point, "idx"));
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS)
      points[index] = shortNumber(textIn(childOf(point, "v")));
  }
  return Array.from(points, (point) => point ?? "");
}

/** Removes the noise of binary numbers: 0.1 is stored as 0.10000000000000001. */
function shortNumber(text: string): string {
  return /^-?\d+\.\d{12,}(?:E-?\d+)?$/i.test(text)
    ? String(Number(Number(text).toPrecision(12)))
    : text;
}

/** The texts of a diagram as list items. Source: ECMA-376 part 1, 21.4. */
export async function readDiagram(archive: Archive, path: string): Promise<Block[]> {
  const model = childOf(await readXmlTree(archive.text(path)), "dataModel");
  return elementsOf(childOf(model, "ptLst"), "pt").flatMap((point) => {
    const text = findAll(point, "p")
      .map((line) => findAll(line, "t").map(textIn).join(""))
      .filter((line) => line.trim() !== "")
      .join(" ");
    return text === "" ? [] : [paragraph([{ text }], { depth: 1, marker: "-" })];
  });
}
