import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";

/** Less text than this, white space not counted, is too little for a page that shows something. */
const FEW_CHARACTERS = 25;

/**
 * Whether a file is a picture, which has no text but what is recognised in it; a drawing of SVG is
 * a text.
 */
export function isPicture(mimeType: string): boolean {
  return mimeType.startsWith("image/") && mimeType !== "image/svg+xml";
}

/** The markdown of each page. */
export function pagesOf({ markdown }: Pick<ParsedFile, "markdown">): string[] {
  return markdown.split("\f");
}

/** White space is not counted, nor is a picture's address. */
export function countCharacters(text: string): number {
  return text.replace(/!\[([^\]\n]{0,1000})\]\([^)\n]{0,1000}\)/g, "$1").replace(/\s+/g, "").length;
}

/**
 * Pages, from 1, on which there is more to see than was read. Where there is no text at all, every
 * page may be one.
 */
export function poorPages({ pageQuality, markdown }: ParsedFile): number[] {
  const nothing = countCharacters(markdown) === 0;
  return pageQuality
    .filter(({ characters, images }) => characters < FEW_CHARACTERS && (images > 0 || nothing))
    .map(({ page }) => page);
}

/** The same file, with other text on some pages. */
export function withPages(file: ParsedFile, texts: ReadonlyMap<number, string>): ParsedFile {
  const pages = pagesOf(file).map((text, index) => texts.get(index + 1) ?? text);
  const pageQuality = file.pageQuality.map((quality) => {
    const text = texts.get(quality.page);
    return text === undefined ? quality : { ...quality, characters: countCharacters(text) };
  });
  return { ...file, markdown: pages.join("\f"), pageQuality };
}

export function pageList(pages: readonly number[]): string {
  const shown = pages.slice(0, 10).join(", ");
  return `${pages.length === 1 ? "page" : "pages"} ${shown}${pages.length > 10 ? ` and ${pages.length - 10} more` : ""}`;
}
