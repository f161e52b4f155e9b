import type { ParsedFile } from "./parsed-file.ts";

/** Less text than this, white space not counted, is too little for a page that shows something. */
const FEW_CHARACTERS = 25;

/** The markdown of each page. */
export function pagesOf({ markdown }: Pick<ParsedFile, "markdown">): string[] {
  return markdown.split("\f");
}

export function countCharacters(text: string): number {
  return text.replace(/\s+/g, "").length;
}

/** Pages, from 1, on which there is more to see than was read. Where there is no text at all, every page may be one. */
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
