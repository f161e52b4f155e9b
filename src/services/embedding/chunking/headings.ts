import { cutText } from "../../../platform/cut-text.ts";
interface Heading {
  at: number;
  /** Where its line ends. */
  end: number;
  level: number;
  title: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A page may end without a newline. */
const LINE_END = /[\n\f]/g;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_TITLE_CHARACTERS = 200;

/** The sections of a text, as the titles of those that contain them, the outermost first. */
export interface Sections {
  /** Of the section at a position. Positions must increase. */
  at(position: number): string[];
  /** Of each section with text between the last position and this end, in order. */
  until(end: number): string[][];
}

/**
 * Reads the sections of a Markdown text.
 * @param ends where all sections end, ascending
 */
export function readSections(text: string, ends: readonly number[] = []): Sections {
  const headings = findHeadings(text);
  const path: Heading[] = [];
  let next = 0;
  let nextEnd = 0;
  let last = 0;
  const endSections = (position: number) => {
    for (; (ends[nextEnd] ?? Infinity) <= position; nextEnd += 1) path.length = 0;
  };
  return {
    at(position) {
      last = position;
      for (
        let heading = headings[next];
        heading && heading.at <= position;
        heading = headings[next]
      ) {
        endSections(heading.at);
        enter(path, heading);
        next += 1;
      }
      endSections(position);
      return path.map(titleOf);
    },
    until(end) {
      const found: string[][] = [];
      const open = [...path];
      let from = Math.max(last, path.at(-1)?.end ?? 0);
      for (let index = next; from < end; index += 1) {
        const heading = headings[index];
        const to = Math.min(end, heading?.at ?? end);
        if (text.slice(from, to).trim() !== "") found.push(open.map(titleOf));
        if (!heading || heading.at >= end) break;
        enter(open, heading);
        from = heading.end;
      }
      return found.length > 0 ? found : [open.map(titleOf)];
    },
  };
}

function enter(path: Heading[], heading: Heading): void {
  while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
  path.push(heading);
}

function titleOf({ title }: Heading): string {
  return title;
}

function findHeadings(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length;) {
    LINE_END.lastIndex = at;
    const end = LINE_END.exec(text)?.index ?? text.length;
    const line = text.slice(at, Math.min(end, at + MAX_LINE_CHARACTERS));
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    else if (fence === undefined && line.trimStart().startsWith("#")) {
      const [, marks, title] = HEADING.exec(line) ?? [];
      if (marks && title) found.push({ at, end, level: marks.length, title: plain(title) });
    }
    at = end + 1;
  }
  return found;
}

function plain(title: string): string {
  const text = title.replace(/[ \t]#+[ \t]*$/, "").replace(/[*_`]/g, "");
  return cutText(text.trim(), MAX_TITLE_CHARACTERS);
}
