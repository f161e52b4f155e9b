import { type Block, raised, type Run } from "../blocks.ts";
import type { Relationship } from "../ooxml/open-package.ts";
import { mathToLatex } from "../ooxml/math-to-latex.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  findAll,
  findIn,
  isElement,
  prefixedAttribute,
  textIn,
} from "../xml-tree.ts";
import { type Style, toggles } from "./read-styles.ts";
import { isSymbolFont, readSymbols, symbolOf } from "../symbol-fonts.ts";
import { checkBoxOf, type Field, hrefOf, readFieldMark } from "./read-fields.ts";

/** The parts of the document that runs refer to. */
export interface RunSource {
  styles: Map<string, Style>;
  relationships: Map<string, Relationship>;
  /** Open fields; one may span several paragraphs. */
  fields: Field[];
  showImage(path: string, alt: string): string;
  /** @returns the number of the note. */
  note(kind: "footnote" | "endnote", id: string): number | undefined;
  /** Attaches text boxes, charts and diagrams to the paragraph, as blocks. */
  attach(kind: "box" | "chart" | "diagram", element: Element): void;
}

/** The text of a paragraph, with its page breaks. */
export interface Line {
  runs: Run[];
  /** Indexes of `runs` before which a page ends: explicitly, or as a program displayed the file. */
  breaks: { at: number; kind: "explicit" | "rendered" }[];
}

type Look = Omit<Run, "text"> & { hidden?: boolean | undefined; font?: string | undefined };

/** Reads the runs of a paragraph. Source: ECMA-376 part 1, 17.3 and 17.16. */
export function readRuns(paragraph: Element, source: RunSource, look: Look = {}): Line {
  const line: Line = { runs: [], breaks: [] };
  walk(paragraph, look, line, source);
  return line;
}

function walk(element: Element, look: Look, line: Line, source: RunSource): void {
  for (const child of element.children)
    if (isElement(child)) visit(child, look, line, source);
}

function visit(element: Element, look: Look, line: Line, source: RunSource): void {
  switch (element.name) {
    case "pPr":
    case "sdtPr":
    case "del":
    case "moveFrom":
    case "rt":
      return;
    case "r":
      return readRun(element, look, line, source);
    case "hyperlink": {
      const link = source.relationships.get(prefixedAttribute(element, "id") ?? "");
      const anchor = attributeOf(element, "anchor");
      // names with an underscore are internal bookmarks, such as those of tables of contents
      const place = anchor && !anchor.startsWith("_") ? `#${anchor}` : "";
      const href = (link?.external ? link.target + place : place) || undefined;
      return walk(element, { ...look, href: href ?? look.href }, line, source);
    }
    case "fldSimple":
      return walk(
        element,
        { ...look, href: hrefOf(attributeOf(element, "instr") ?? "") ?? look.href },
        line,
        source,
      );
    case "sdt": {
      const before = line.runs.length;
      walk(element, look, line, source);
      const box = checkBoxOf(childOf(element, "sdtPr"));
      if (box !== undefined && line.runs.length === before) line.runs.push({ text: box });
      return;
    }
    case "oMathPara":
      line.runs.push({
        raw: true,
        text: `$$${elementsOf(element, "oMath").map(mathToLatex).join(" ")}$$`,
      });
      return;
    case "oMath":
      line.runs.push({ raw: true, text: `$${mathToLatex(element)}$` });
      return;
    case "AlternateContent":
      return alternative(element, (chosen) => walk(chosen, look, line, source));
    default:
      return walk(element, look, line, source);
  }
}

/** Reads the newer of two alternative contents; the older one where the newer is unknown here. */
function alternative(element: Element, read: (chosen: Element) => void): void {
  const choice = childOf(element, "Choice");
  const known =
    choice &&
    ["blip", "txbxContent", "chart", "relIds", "t", "wsp", "wgp"].some((name) =>
      findIn(choice, name),
    );
  const chosen = known ? choice : (childOf(element, "Fallback") ?? choice);
  if (chosen) read(chosen);
}

function readRun(run: Element, outer: Look, line: Line, source: RunSource): void {
  const properties = childOf(run, "rPr");
  const style = source.styles.get(attributeOf(childOf(properties, "rStyle"), "val") ?? "");
  const own = toggles(properties);
  const look: Look = {
    bold: own.bold ?? style?.bold ?? outer.bold,
    italic: own.italic ?? style?.italic ?? outer.italic,
    strike: own.strike ?? style?.strike ?? outer.strike,
    hidden: own.hidden ?? style?.hidden ?? outer.hidden,
    code: outer.code || (style?.code ?? /verbatim|code/i.test(style?.name ?? "")),
    href: source.fields.findLast(({ href }) => href !== undefined)?.href ?? outer.href,
    font: fontOf(properties) ?? style?.font ?? outer.font,
  };
  const up = attributeOf(childOf(properties, "vertAlign"), "val") === "superscript";
  for (const child of run.children)
    if (isElement(child)) readPart(child, look, up, line, source);
}

function readPart(
  part: Element,
  look: Look,
  up: boolean,
  line: Line,
  source: RunSource,
): void {
  const { hidden, font, ...style } = look;
  const field = source.fields.at(-1);
  const put = (text: string) => {
    // text between the start of a field and its result is its instruction
    if (hidden || source.fields.some(({ result }) => !result)) return;
    line.runs.push({ ...style, text: up ? raised(text) : text });
    if (field && text.trim() !== "") field.shown = undefined;
  };
  switch (part.name) {
    case "t":
      return put(readSymbols(font, textIn(part).replace(/[\r\n]+/g, " ")));
    case "tab":
    case "ptab":
      return put("\t");
    case "noBreakHyphen":
      return put("-");
    case "sym":
      return put(
        symbolOf(attributeOf(part, "font") ?? "", attributeOf(part, "char") ?? ""),
      );
    case "cr":
      return put("\n");
    case "br":
      if (attributeOf(part, "type") === "page")
        line.breaks.push({ at: line.runs.length, kind: "explicit" });
      else if (attributeOf(part, "type") !== "column") put("\n");
      return;
    case "lastRenderedPageBreak":
      line.breaks.push({ at: line.runs.length, kind: "rendered" });
      return;
    case "fldChar": {
      const shown = readFieldMark(part, source.fields);
      return shown === undefined ? undefined : put(shown);
    }
    case "instrText":
      if (field && !field.result) field.instruction += textIn(part);
      return;
    case "footnoteReference":
    case "endnoteReference": {
      const number = source.note(
        part.name === "footnoteReference" ? "footnote" : "endnote",
        attributeOf(part, "id") ?? "",
      );
      if (number !== undefined && attributeOf(part, "customMarkFollows") === undefined)
        line.runs.push({ raw: true, text: `[^${number}]` });
      return;
    }
    case "drawing":
    case "pict":
    case "object":
      return hidden ? undefined : readDrawing(part, line, source);
    case "AlternateContent":
      return alternative(part, (chosen) => {
        for (const child of elementsOf(chosen)) readPart(child, look, up, line, source);
      });
    case "ruby":
      return walk(childOf(part, "rubyBase") ?? part, look, line, source);
    default:
  }
}

/** The symbol font of a run, whose letters stand for signs. */
function fontOf(properties: Element | undefined): string | undefined {
  const fonts = childOf(properties, "rFonts");
  if (!fonts) return undefined;
  const name = attributeOf(fonts, "ascii") ?? attributeOf(fonts, "hAnsi");
  return isSymbolFont(name) ? name : name && "";
}

function readDrawing(element: Element, line: Line, source: RunSource): void {
  const properties = findIn(element, "docPr") ?? findIn(element, "shape");
  const alt =
    (properties &&
      (attributeOf(properties, "descr") ??
        attributeOf(properties, "alt") ??
        attributeOf(properties, "title"))) ??
    "";
  for (const name of ["blip", "imagedata"]) {
    for (const picture of findAll(element, name)) {
      const id =
        prefixedAttribute(picture, "embed") ??
        prefixedAttribute(picture, "id") ??
        prefixedAttribute(picture, "link") ??
        "";
      const target = source.relationships.get(id);
      if (target)
        line.runs.push({
          text: alt,
          image: target.external ? target.target : source.showImage(target.target, alt),
        });
    }
  }
  for (const box of findAll(element, "txbxContent")) source.attach("box", box);
  for (const chart of findAll(element, "chart")) source.attach("chart", chart);
  for (const diagram of findAll(element, "relIds")) source.attach("diagram", diagram);
}

export type Piece = Block | Piece[];

export function flat(pieces: readonly Piece[]): Block[] {
  return pieces.flatMap((piece) => (Array.isArray(piece) ? flat(piece) : [piece]));
}
