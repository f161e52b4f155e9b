interface Heading {
  at: number;
  level: number;
  title: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LONGEST_LINE = 1_000;
const LONGEST_TITLE = 200;

/** The sections of a markdown text. @returns for a position the titles around it, the outermost first. Positions must rise. */
export function readHeadings(text: string): (position: number) => string[] {
  const headings = findHeadings(text);
  const path: Heading[] = [];
  let next = 0;
  return (position) => {
    for (let heading = headings[next]; heading && heading.at <= position; heading = headings[next]) {
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
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const begin = text.charCodeAt(at) === 12 ? at + 1 : at;
    const line = text.slice(begin, Math.min(end, begin + LONGEST_LINE));
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    else if (fence === undefined && line.trimStart().startsWith("#")) {
      const [, marks, title] = HEADING.exec(line) ?? [];
      if (marks && title) found.push({ at: begin, level: marks.length, title: plain(title) });
    }
    at = end + 1;
  }
  return found;
}

function plain(title: string): string {
  return title
    .replace(/[ \t]#+[ \t]*$/, "")
    .replace(/[*_`]/g, "")
    .trim()
    .slice(0, LONGEST_TITLE);
}
