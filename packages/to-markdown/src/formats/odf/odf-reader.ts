import { type Block, paragraph, textOf } from "../blocks.ts";
import { type SheetGrid, gridBlocks } from "../xlsx/grid-blocks.ts";
import { type Element, attributeOf, elementsOf, findAll, findIn, textIn } from "../xml-tree.ts";
import { readOdfRuns, type RunSource } from "./odf-runs.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { readOdfGrid, readOdfTable } from "./odf-table.ts";

const MAX_CELLS = 500_000;

interface Place {
  depth: number;
  /** Of the list that it stands in. */
  list?: string | undefined;
  marker?: string | undefined;
}

/** The three kinds of bodies as blocks. */
export function odfReader(
  styles: OdfStyles,
  showImage: (path: string, alt: string) => string | undefined,
  readObject: (path: string) => Block[],
) {
  let notes: Block[] = [];
  let noteCount = 0;

  const source: RunSource = {
    styles,
    showImage,
    hang: () => undefined,
    note(body) {
      noteCount += 1;
      const runs = findAll(body, "p").flatMap((line) => [
        { text: " " },
        ...readOdfRuns(line, { ...source, note: () => undefined }),
      ]);
      notes.push(paragraph([{ raw: true, text: `[^${noteCount}]: ` }, ...runs.slice(1)]));
      return noteCount;
    },
  };

  const endPage = (blocks: Block[]) => {
    for (const note of notes) blocks.push(note);
    notes = [];
    blocks.push({ kind: "page" });
  };

  const readAll = (
    elements: readonly Element[],
    place: Place,
    blocks: Block[],
    pages: boolean,
  ): void => {
    for (const element of elements) readOne(element, place, blocks, pages);
  };

  const readOne = (element: Element, place: Place, blocks: Block[], pages: boolean): void => {
    switch (element.name) {
      case "h":
      case "p":
        return readLine(element, place, blocks, pages);
      case "list":
        return readList(element, place, blocks, pages);
      case "table": {
        const rows = readOdfTable(element, (cell) => {
          const inner: Block[] = [];
          readAll(elementsOf(cell), { depth: 0 }, inner, false);
          return inner;
        });
        if (
          pages &&
          styles.of(attributeOf(element, "style-name"))?.breakBefore &&
          blocks.length > 0
        )
          endPage(blocks);
        if (rows.length > 0) blocks.push({ kind: "table", rows, depth: place.depth, quote: 0 });
        return;
      }
      case "soft-page-break":
        if (pages && blocks.length > 0) endPage(blocks);
        return;
      case "section":
      case "index-body":
      case "index-title":
      case "text-box":
      case "table-of-content":
      case "g":
        return readAll(elementsOf(element), place, blocks, pages);
      case "frame":
      case "custom-shape":
      case "rect":
        return readFrame(element, place, blocks);
      default:
        if (/(?:index|bibliography)$/.test(element.name))
          readAll(elementsOf(element), place, blocks, pages);
    }
  };

  const readLine = (element: Element, place: Place, blocks: Block[], pages: boolean) => {
    const style = styles.of(attributeOf(element, "style-name"));
    if (pages && style?.breakBefore && blocks.length > 0) endPage(blocks);
    const hung: Element[] = [];
    let breaks = 0;
    const runs = readOdfRuns(element, {
      ...source,
      hang: (frame) => hung.push(frame),
      pageBreak: () => (breaks += 1),
    });
    if (pages) for (; breaks > 0; breaks -= 1) endPage(blocks);
    const filled = textOf(runs).trim() !== "" || runs.some(({ image }) => image !== undefined);
    const level =
      element.name === "h" ? Number(attributeOf(element, "outline-level") ?? 1) : style?.heading;
    if (filled && !style?.hidden) {
      if (level !== undefined && place.marker === undefined)
        blocks.push({ kind: "heading", level, runs });
      else if (style?.code && place.depth === 0) pushCode(blocks, textOf(runs));
      else blocks.push(paragraph(runs, { depth: place.depth, marker: place.marker }));
    }
    for (const frame of hung) readFrame(frame, place, blocks);
    if (pages && style?.breakAfter) endPage(blocks);
  };

  const readFrame = (frame: Element, place: Place, blocks: Block[]) => {
    const inner = elementsOf(frame).flatMap((child) =>
      child.name === "text-box" ? elementsOf(child) : child.name === "image" ? [] : [child],
    );
    const [image] = elementsOf(frame, "image");
    const path = attributeOf(image, "href")?.replace(/^\.\//, "") ?? "";
    const object = attributeOf(elementsOf(frame, "object")[0], "href")?.replace(/^\.\//, "");
    if (object !== undefined) {
      for (const block of readObject(object)) blocks.push(block);
      return;
    }
    const table = inner.find(({ name }) => name === "table");
    if (image && !table) {
      const alt = elementsOf(frame)
        .filter(({ name }) => name === "title" || name === "desc")
        .map(textIn)
        .join(" ")
        .trim();
      const shown = /^https?:/.test(path) ? path : showImage(path, alt);
      if (shown !== undefined)
        blocks.push(paragraph([{ text: alt, image: shown }], { depth: place.depth }));
    }
    readAll(inner, place, blocks, false);
  };

  const readList = (list: Element, place: Place, blocks: Block[], pages: boolean) => {
    const name = attributeOf(list, "style-name") ?? place.list;
    const depth = place.depth + 1;
    const start = styles.startOf(name, depth);
    let number = start ?? 1;
    for (const item of elementsOf(list)) {
      if (item.name !== "list-item" && item.name !== "list-header") continue;
      let marker: string | undefined =
        item.name === "list-header"
          ? undefined
          : start === undefined
            ? "-"
            : `${Number(attributeOf(item, "start-value")) || number}.`;
      for (const child of elementsOf(item)) {
        const before = blocks.length;
        readOne(
          child,
          { depth, list: name, marker: child.name === "list" ? undefined : marker },
          blocks,
          pages,
        );
        if (child.name !== "list" && blocks.length > before) marker = undefined;
      }
      if (item.name === "list-item")
        number = (Number(attributeOf(item, "start-value")) || number) + 1;
    }
  };

  return {
    text(body: Element): Block[] {
      const blocks: Block[] = [];
      readAll(elementsOf(body), { depth: 0 }, blocks, true);
      return [...blocks, ...notes];
    },
    spreadsheet(body: Element, warnings: string[]): Block[] {
      const blocks: Block[] = [];
      let left = MAX_CELLS;
      for (const sheet of elementsOf(body, "table")) {
        const grid: SheetGrid = readOdfGrid(sheet, left);
        left -= grid.count;
        if (grid.cut) warnings.push(`Only ${MAX_CELLS} cells of the file were read.`);
        if (blocks.length > 0) blocks.push({ kind: "page" });
        blocks.push(
          { kind: "heading", level: 2, runs: [{ text: attributeOf(sheet, "name") ?? "" }] },
          ...gridBlocks(grid),
        );
        for (const shapes of elementsOf(sheet, "shapes"))
          for (const frame of elementsOf(shapes)) readFrame(frame, { depth: 0 }, blocks);
      }
      return blocks;
    },
    slides(body: Element): Block[] {
      const blocks: Block[] = [];
      for (const [index, slide] of elementsOf(body, "page").entries()) {
        if (index > 0) blocks.push({ kind: "page" });
        const shapes = elementsOf(slide).filter(({ name }) => name !== "notes" && name !== "forms");
        const title =
          shapes.find(
            (shape) => attributeOf(shape, "class") === "title" && textIn(shape).trim() !== "",
          ) ?? likelyTitle(shapes);
        if (title)
          blocks.push({
            kind: "heading",
            level: 1,
            runs: findAll(title, "p").flatMap((line, at) => [
              ...(at > 0 ? [{ text: " " }] : []),
              ...readOdfRuns(line, source),
            ]),
          });
        readAll(
          shapes.filter(
            (shape) =>
              shape !== title &&
              !/^(?:page-number|date-time|footer|header)$/.test(attributeOf(shape, "class") ?? ""),
          ),
          { depth: 0 },
          blocks,
          false,
        );
      }
      return blocks;
    },
  };
}

/** Programs that draw their titles as plain shapes put them first and keep them short. */
function likelyTitle(shapes: readonly Element[]): Element | undefined {
  const [first, ...rest] = shapes.filter((shape) =>
    /^(?:frame|custom-shape|rect)$/.test(shape.name),
  );
  const lines = findAll(first, "p").filter((line) => textIn(line).trim() !== "");
  return rest.length > 0 &&
    lines.length === 1 &&
    textIn(lines[0]).trim().length <= 100 &&
    !findIn(first, "list") &&
    !findIn(first, "image")
    ? first
    : undefined;
}

function pushCode(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  if (last?.kind === "code") last.text += `\n${line}`;
  else blocks.push({ kind: "code", text: line, depth: 0, quote: 0 });
}
