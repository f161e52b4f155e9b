import type { ParsedFile } from "../parsed-file.ts";
import { countCharacters } from "../count-characters.ts";
import type { Block } from "./blocks.ts";
import { tooComplex } from "./refuse-file.ts";

const MAX_CHARACTERS = 30_000_000;

/** Reads plain text or markdown unchanged. Form feeds separate its pages. */
export function readPlain(text: string): ParsedFile {
  if (text.length > MAX_CHARACTERS)
    throw tooComplex(`it holds more than ${MAX_CHARACTERS} characters`);
  const markdown = cleaned(text);
  const pages = markdown.split("\f");
  return {
    markdown,
    pages: pages.length,
    layout: { kind: pages.length > 1 ? "pages" : "none", parts: pages.length },
    ...titleOf(markdown),
    warnings: [],
    pageQuality: pages.map((page, index) => ({
      page: index + 1,
      characters: countCharacters(page),
      images: 0,
    })),
  };
}

/** Reads JSON, XML or source code as one fenced block. */
export function readSource(text: string, language: string): Block[] {
  const code = cleaned(text).replaceAll("\f", "\n");
  return code === "" ? [] : [{ kind: "code", text: code, language, depth: 0, quote: 0 }];
}

function cleaned(text: string): string {
  return (
    text
      .replace(/^\ufeff/, "")
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- control characters are removed
      .replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, "")
      .trimEnd()
  );
}

/** Returns the title of the front matter, as Jekyll and Pandoc define it. */
function titleOf(markdown: string): { title?: string } {
  if (!markdown.startsWith("---\n")) return {};
  const end = markdown.indexOf("\n---", 4);
  const title =
    end < 0 || end > 20_000
      ? undefined
      : /^title:[ \t]*["']?([^\n"']{1,500})/m.exec(markdown.slice(0, end))?.[1]?.trim();
  return title ? { title } : {};
}
