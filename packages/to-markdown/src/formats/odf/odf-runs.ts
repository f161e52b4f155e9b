import { raised, type Run } from "../blocks.ts";
import { readSymbols } from "../symbol-fonts.ts";
import { type Element, attributeOf, childOf, isElement, textIn } from "../xml-tree.ts";
import { fieldMarkOf } from "./odf-forms.ts";
import type { OdfStyles } from "./odf-styles.ts";

export interface RunSource {
  styles: OdfStyles;
  showImage(path: string, alt: string): string | undefined;
  /** Frames attached to a paragraph. */
  attach(frame: Element): void;
  /** @returns the number of the note. */
  note(body: Element): number | undefined;
  /** @returns the run that marks where the page ends. */
  pageBreak?(): Run;
  /** What an element of a form shows. */
  controlOf?(id: string): string | undefined;
}

const IGNORED = new Set([
  "annotation",
  "annotation-end",
  "bookmark",
  "bookmark-start",
  "bookmark-end",
  "tracked-changes",
  "change",
  "notes",
  "ruby-text",
  "event-listeners",
]);

type Look = Omit<Run, "text"> & { up?: boolean | undefined; font?: string | undefined };

/** Reads the text of a paragraph with its styles. Source: ODF 1.3 part 3, 6. */
export function readOdfRuns(element: Element, source: RunSource, look: Look = {}): Run[] {
  const runs: Run[] = [];
  for (const child of element.children) {
    if (!isElement(child)) {
      const { up, font, ...style } = look;
      const text = readSymbols(font, child.replace(/[ \t\r\n]+/g, " "));
      if (text !== "") runs.push({ ...style, text: up ? raised(text) : text });
    } else if (!IGNORED.has(child.name)) runs.push(...readInline(child, source, look));
  }
  return runs;
}

function readInline(child: Element, source: RunSource, look: Look): Run[] {
  const { up: _up, font: _font, ...plain } = look;
  switch (child.name) {
    case "s":
      return [
        { ...plain, text: " ".repeat(Math.min(100, Number(attributeOf(child, "c")) || 1)) },
      ];
    case "tab":
      return [{ ...plain, text: "\t" }];
    case "line-break":
      return [{ text: "\n" }];
    case "soft-page-break":
      return source.pageBreak ? [source.pageBreak()] : [];
    case "note": {
      const body = childOf(child, "note-body");
      const number = body && source.note(body);
      return number === undefined ? [] : [{ raw: true, text: `[^${number}]` }];
    }
    case "a": {
      const href = attributeOf(child, "href");
      return readOdfRuns(child, source, {
        ...look,
        href: href?.startsWith("#") ? look.href : href,
      });
    }
    case "control": {
      const shown = source.controlOf?.(attributeOf(child, "control") ?? "");
      return shown === undefined ? [] : [{ ...plain, text: shown }];
    }
    case "fieldmark": {
      const shown = fieldMarkOf(child);
      return shown === undefined ? [] : [{ ...plain, text: shown }];
    }
    case "frame":
    case "custom-shape":
      return readFrame(child, source);
    default: {
      const style = source.styles.of(attributeOf(child, "style-name"));
      if (style?.hidden) return [];
      return readOdfRuns(child, source, {
        ...look,
        font: style?.font ?? look.font,
        bold: style?.bold ?? look.bold,
        italic: style?.italic ?? look.italic,
        strike: style?.strike ?? look.strike,
        up: style?.up ?? look.up,
      });
    }
  }
}

/** Reads a frame: a picture stays in its line, a box with text becomes a block. */
function readFrame(frame: Element, source: RunSource): Run[] {
  const image = childOf(frame, "image");
  if (
    !image ||
    childOf(frame, "object") ||
    childOf(frame, "text-box") ||
    childOf(frame, "table")
  ) {
    source.attach(frame);
    return [];
  }
  const alt = [childOf(frame, "title"), childOf(frame, "desc")]
    .map(textIn)
    .join(" ")
    .trim();
  const path = attributeOf(image, "href")?.replace(/^\.\//, "") ?? "";
  const shown = /^https?:/.test(path) ? path : source.showImage(path, alt);
  return shown === undefined ? [] : [{ text: alt, image: shown }];
}
