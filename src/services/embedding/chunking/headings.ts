import { cutText } from "../../../platform/cut-text.ts";
interface Heading {
  at: number;
  level: number;
  title: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A page may end without a newline. */
const LINE_END = /[\n\f]/g;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_TITLE_CHARACTERS = 200;

/**
 * Reads the sections of a Markdown text.
 * @returns a function that gives the titles of the sections that contain a position, the outermost
 * first. Its positions must increase.
 */
export function readHeadings(text: string): (position: number) => string[] {
  const headings = findHeadings(text);
  const path: Heading[] = [];
  let next = 0;
  return (position) => {
    for (
      let heading = headings[next];
      heading && heading.at <= position;
      heading = headings[next]
    ) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
      path.push(heading);
      next += 1;
    }
    return path.map(({ title }) => title);
  };
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
      if (marks && title) found.push({ at, level: marks.length, title: plain(title) });
    }
    at = end + 1;
  }
  return found;
}

function plain(title: string): string {
  const text = title.replace(/[ \t]#+[ \t]*$/, "").replace(/[*_`]/g, "");
  return cutText(text.trim(), MAX_TITLE_CHARACTERS);
}
