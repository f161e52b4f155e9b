import { writeEmphasis } from "./write-emphasis.ts";
import type { Run } from "./blocks.ts";

/**
 * Writes runs as one line of Markdown, or several at forced breaks. Emphasis never begins or ends
 * with white space, as CommonMark requires.
 */
export function writeInline(runs: readonly Run[], breakAs = "  \n"): string {
  const joined = joinEqual(runs);
  const tildes =
    joined.reduce((sum, run) => sum + run.text.split("~", 3).length - 1, 0) > 1;
  let out = "";
  for (let index = 0; index < joined.length;) {
    const href = joined[index]?.href;
    let end = index;
    while (end < joined.length && joined[end]?.href === href) end += 1;
    const text = writeLines(
      joined.slice(index, end),
      tildes,
      href === undefined ? (joined[end]?.text ?? "") : "",
    );
    out += href === undefined ? text : linked(text, href);
    index = end;
  }
  return out
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n[ \t]+/g, "\n")
    .trim()
    .replace(/\n{2,}/g, "\n")
    .replaceAll("\n", breakAs);
}

function joinEqual(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    if (run.text === "" && run.image === undefined) continue;
    let last = joined.at(-1);
    // pictures are separated from their neighbours
    if (
      last &&
      (last.image !== undefined
        ? !/^\s/.test(run.text) || run.image !== undefined
        : run.image !== undefined && !/\s$/.test(last.text))
    ) {
      last = { text: " ", href: last.href === run.href ? last.href : undefined };
      joined.push(last);
    }
    // white space has no style, and joins the run before it
    const blank =
      !run.raw && !run.code && run.image === undefined && run.text.trim() === "";
    if (
      last &&
      !last.raw &&
      !run.raw &&
      last.image === undefined &&
      run.image === undefined &&
      (sameStyle(last, run) || (blank && last.href === run.href))
    ) {
      joined[joined.length - 1] = { ...last, text: last.text + run.text };
    } else joined.push(blank ? { text: run.text, href: run.href } : run);
  }
  return joined;
}

function sameStyle(a: Run, b: Run): boolean {
  return (
    !a.bold === !b.bold &&
    !a.italic === !b.italic &&
    !a.strike === !b.strike &&
    !a.code === !b.code &&
    a.href === b.href
  );
}

/** Ends emphasis at a forced break, and begins it again after it. */
function writeLines(runs: readonly Run[], tildes: boolean, following: string): string {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    if (run.raw || run.code || !run.text.includes("\n")) lines.at(-1)?.push(run);
    else {
      for (const [index, text] of run.text.split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (text !== "") lines.at(-1)?.push({ ...run, text });
      }
    }
  }
  return lines
    .map((line, index) =>
      writeEmphasis(
        line,
        (run) => plainly(run, tildes),
        index === lines.length - 1 ? following : "",
      ),
    )
    .join("\n");
}

/** A run without its emphasis. */
function plainly(run: Run, tildes: boolean): string {
  if (run.raw) return run.text;
  if (run.image !== undefined) return picture(run.text, run.image);
  const text = run.code
    ? run.text
    : withoutOddSpace(run.text).replace(/[ \t]{2,}/g, (space) =>
        space.includes("\t") ? "\t" : " ",
      );
  const { before, core, after } = parted(text);
  if (core === "") return text;
  return before + (run.code ? inCode(core) : escaped(core, tildes)) + after;
}

/**
 * Replaces non-breaking spaces by spaces, and removes zero-width spaces and soft hyphens, so that
 * words can be searched for.
 */
function withoutOddSpace(text: string): string {
  return /[\u00a0\u00ad\u2007\u200b\u202f\ufeff]/.test(text)
    ? text.replace(/[\u00a0\u2007\u202f]/g, " ").replace(/[\u00ad\u200b\ufeff]/g, "")
    : text;
}

/** Without a regular expression, which would try every space of a long run. */
function parted(text: string): { before: string; core: string; after: string } {
  const core = text.trim();
  const start = text.indexOf(core);
  return { before: text.slice(0, start), core, after: text.slice(start + core.length) };
}

function picture(alt: string, name: string): string {
  const label = alt
    .replace(/\s+/g, " ")
    .replace(/[\\[\]]/g, "")
    .trim();
  return `![${label}](${safeTarget(name) ?? "image"})`;
}

function inCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return fence + pad + text.replaceAll("\n", " ") + pad + fence;
}

function linked(text: string, href: string): string {
  const { before, core, after } = parted(text);
  const target = safeTarget(href);
  if (core === "" || target === undefined) return text;
  const label = core.replaceAll("\n", " ");
  return `${before}[${label}](${target})${after}`;
}

/** Returns a link target that is safe to follow; undefined for one that runs something. */
function safeTarget(href: string): string | undefined {
  const target = href.trim();
  if (
    target === "" ||
    target.length > 2_000 ||
    /^(?:javascript|vbscript|data|file):/i.test(target.replace(/[\s\p{C}]/gu, ""))
  )
    return undefined;
  return /[\s()<>]/.test(target)
    ? `<${target.replace(/[<>\n]/g, (character) => encodeURIComponent(character))}>`
    : target;
}

/**
 * Escapes only what Markdown would interpret, because people and models read the source.
 * @param tildes whether its paragraph has several tildes; a single one strikes nothing out.
 */
function escaped(text: string, tildes: boolean): string {
  if (!/[\\*_`<&[\]~]/.test(text)) return text;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|[ \t]*(?:\n|$))/g, "\\\\")
    .replace(/\*(?! )|(?<! )\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/`/g, "\\`")
    .replace(/<(?=[a-z/!?])/gi, "\\<")
    .replace(/&(?=#?\w{1,32};)/g, "\\&")
    .replace(/\](?=[([:])/g, "\\]")
    .replace(/\[(?=\^)|^\[(?=[ xX]\])/g, "\\[")
    .replace(/~/g, tildes ? "\\~" : "~");
}

/**
 * Escapes the start of a line that Markdown would read as a heading, item, quotation, rule or
 * table.
 */
export function escapedStart(line: string): string {
  return line
    .replace(
      /^(#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|(?:-+|=+|_[\s_]*_)\s*$|[-:|][-:|\s]*$)/,
      "\\$1",
    )
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

/** Escapes plain text. Most cells of large tables have nothing to escape. */
export function plainMarkdown(text: string): string {
  return /[\\*_`<&[\]~\n ]/.test(text) ? writeInline([{ text }], "\n") : text;
}
