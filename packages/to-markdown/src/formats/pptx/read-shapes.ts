import { type Block, type Cell, paragraph, textOf, raised, type Run } from "../blocks.ts";
import type { Relationship } from "../ooxml/open-package.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  findAll,
  findIn,
  prefixedAttribute,
  textIn,
} from "../xml-tree.ts";
import { type BulletStyles, ownBullet } from "./bullet-styles.ts";
import { mathToLatex } from "../ooxml/math-to-latex.ts";

export interface ShapeSource {
  styles: BulletStyles;
  relationships: Map<string, Relationship>;
  showImage(path: string, alt: string): string;
  /** Charts and diagrams are read later, into the returned list. */
  attach(kind: "chart" | "diagram", element: Element): Block[];
  /** Without headings: the notes of a speaker have no title. */
  plain?: boolean;
}

/**
 * Converts the shapes of a slide to blocks: first its title, then the rest from top to bottom and
 * from left to right.
 */
export function readShapes(tree: Element | undefined, source: ShapeSource): Block[][] {
  const shapes = inReadingOrder(elementsOf(tree), source.styles);
  const title = shapes.find(isTitle);
  const ordered = title ? [title, ...shapes.filter((shape) => shape !== title)] : shapes;
  return ordered.map((shape) => readShape(shape, source));
}

/**
 * Shapes with a smaller vertical distance are in one line: a quarter of an inch in English Metric
 * Units.
 */
const LINE_HEIGHT_EMU = 228_600;

function inReadingOrder(shapes: readonly Element[], styles: BulletStyles): Element[] {
  return shapes
    .flatMap(chosenOf)
    .map((shape) => ({ shape, ...placeOf(shape, styles) }))
    .toSorted((a, b) => a.line - b.line || a.left - b.left)
    .flatMap(({ shape }) =>
      shape.name === "grpSp" ? inReadingOrder(elementsOf(shape), styles) : [shape],
    );
}

function placeOf(shape: Element, styles: BulletStyles): { line: number; left: number } {
  const own = findIn(shape, "off");
  const { x, y } =
    (own ?? findIn(styles.shapeOf(placeholderOf(shape)), "off"))?.attributes ?? {};
  return { line: Math.round((Number(y) || 0) / LINE_HEIGHT_EMU), left: Number(x) || 0 };
}

function chosenOf(shape: Element): Element[] {
  if (shape.name !== "AlternateContent") return [shape];
  const chosen = childOf(shape, "Choice");
  const known =
    chosen &&
    ["txBody", "blip", "tbl", "chart", "relIds"].some((name) => findIn(chosen, name));
  return elementsOf(known ? chosen : childOf(shape, "Fallback")).flatMap(chosenOf);
}

function placeholderOf(shape: Element): Element | undefined {
  return childOf(shape, "nvSpPr", "nvPr", "ph");
}

function isTitle(shape: Element): boolean {
  const type = placeholderOf(shape)?.attributes["type"];
  return (type === "title" || type === "ctrTitle") && findAll(shape, "t").length > 0;
}

function readShape(shape: Element, source: ShapeSource): Block[] {
  const properties = findIn(shape, "cNvPr");
  const alt = properties?.attributes["descr"] ?? properties?.attributes["title"] ?? "";
  switch (shape.name) {
    case "sp":
    case "cxnSp":
      // slide numbers, dates and footers are the same on every slide
      if (/^(?:sldNum|dt|ftr|hdr)$/.test(placeholderOf(shape)?.attributes["type"] ?? ""))
        return [];
      return [
        ...readPictures(childOf(shape, "spPr"), alt, source),
        ...readText(childOf(shape, "txBody"), shape, source),
      ];
    case "pic":
      return readPictures(shape, alt, source);
    case "graphicFrame":
      return readFrame(shape, alt, source);
    default:
      return [];
  }
}

function readPictures(
  element: Element | undefined,
  alt: string,
  source: ShapeSource,
): Block[] {
  return findAll(element, "blip").flatMap((picture) => {
    const target = source.relationships.get(
      prefixedAttribute(picture, "embed") ?? prefixedAttribute(picture, "link") ?? "",
    );
    return target
      ? [
          paragraph([
            {
              text: alt,
              image: target.external ? target.target : source.showImage(target.target, alt),
            },
          ]),
        ]
      : [];
  });
}

function readFrame(frame: Element, alt: string, source: ShapeSource): Block[] {
  const table = findIn(frame, "tbl");
  if (table)
    return [{ kind: "table", rows: readTable(table, frame, source), depth: 0, quote: 0 }];
  const chart = findIn(frame, "chart");
  if (chart) return source.attach("chart", chart);
  const diagram = findIn(frame, "relIds");
  return diagram ? source.attach("diagram", diagram) : readPictures(frame, alt, source);
}

function readTable(table: Element, frame: Element, source: ShapeSource): Cell[][] {
  return elementsOf(table, "tr").map((row) =>
    elementsOf(row, "tc")
      .filter(
        ({ attributes }) => !isOn(attributes["hMerge"]) && !isOn(attributes["vMerge"]),
      )
      .map((cell) => ({
        blocks: readText(childOf(cell, "txBody"), frame, source),
        columns: Number(cell.attributes["gridSpan"]) || 1,
        rows: Number(cell.attributes["rowSpan"]) || 1,
      })),
  );
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

function readText(body: Element | undefined, shape: Element, source: ShapeSource): Block[] {
  const placeholder = placeholderOf(shape);
  const title = !source.plain && isTitle(shape);
  const own = childOf(body, "lstStyle");
  const counters: number[] = [];
  const blocks: Block[] = [];
  for (const line of elementsOf(body, "p")) {
    const runs = readLine(line, source.relationships);
    if (textOf(runs).trim() === "") continue;
    const properties = childOf(line, "pPr");
    const level = Math.min(8, Number(attributeOf(properties, "lvl")) || 0);
    const bullet = title
      ? "none"
      : (ownBullet(properties) ??
        ownBullet(childOf(own, `lvl${level + 1}pPr`)) ??
        source.styles.of(placeholder, level));
    counters.length = Math.min(counters.length, level + 1);
    if (bullet === "number") {
      const start = Number(childOf(properties, "buAutoNum")?.attributes["startAt"]) || 1;
      counters[level] = counters[level] === undefined ? start : counters[level] + 1;
      blocks.push(paragraph(runs, { depth: level + 1, marker: `${counters[level]}.` }));
      continue;
    }
    delete counters[level];
    if (bullet === "sign") blocks.push(paragraph(runs, { depth: level + 1, marker: "-" }));
    else blocks.push(paragraph(runs));
  }
  if (!title) return blocks;
  // a title of several lines is one heading
  return [
    {
      kind: "heading",
      level: 1,
      runs: blocks.flatMap((block, index) =>
        "runs" in block ? [...(index > 0 ? [{ text: " " }] : []), ...block.runs] : [],
      ),
    },
  ];
}

/** Reads a paragraph of DrawingML. Source: ECMA-376 part 1, 21.1.2. */
function readLine(line: Element, relationships: Map<string, Relationship>): Run[] {
  return elementsOf(line).flatMap((part): Run[] => {
    if (part.name === "br") return [{ text: "\n" }];
    if (part.name === "r" || part.name === "fld") return [readRun(part, relationships)];
    if (part.name === "AlternateContent" || part.name === "m") {
      const formula = findAll(part, "oMath").map(mathToLatex).join(" ");
      if (formula !== "") return [{ raw: true, text: `$${formula}$` }];
      const chosen = childOf(part, "Choice");
      return chosen && findIn(chosen, "t") ? readLine(chosen, relationships) : [];
    }
    return [];
  });
}

function readRun(run: Element, relationships: Map<string, Relationship>): Run {
  const properties = childOf(run, "rPr");
  const { b, i, strike, baseline } = properties?.attributes ?? {};
  const link = relationships.get(
    prefixedAttribute(childOf(properties, "hlinkClick"), "id") ?? "",
  );
  const text = textIn(childOf(run, "t")).replaceAll("\v", "\n");
  return {
    text: Number(baseline) > 0 ? raised(text) : text,
    bold: b === "1" || b === "true",
    italic: i === "1" || i === "true",
    strike: strike === "sngStrike" || strike === "dblStrike",
    href: link?.external ? link.target : undefined,
  };
}
