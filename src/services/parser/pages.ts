import { countCharacters, isBlank } from "@parlance/to-markdown/count-characters.ts";
import type { ReadFile } from "./read-file.ts";

/**
 * A page with visible content and fewer characters, not counting white space, has too little text.
 */
const MIN_CHARACTERS = 25;
/** A page that is one picture has a head, a number or a caption as text at most. */
const MIN_BESIDE_PICTURE = 200;
const IS_PICTURE = 0.6;

/** Returns whether only OCR can read the text of a file. SVG is text. */
export function isPicture(mimeType: string): boolean {
  return mimeType.startsWith("image/") && mimeType !== "image/svg+xml";
}

/** Returns the markdown of each page. */
export function pagesOf({ markdown }: Pick<ReadFile, "markdown">): string[] {
  return markdown.split("\f");
}

/**
 * Returns the numbers, from 1, of the pages that show more than the text found: pictures, or more
 * characters than could be read. In a file without text, these are all pages.
 */
export function poorPages({ pageQuality, markdown }: ReadFile): number[] {
  const isEmpty = isBlank(markdown);
  return pageQuality
    .filter(
      ({ characters, images, unread = 0, covered = 0 }) =>
        (characters < MIN_CHARACTERS && (images > 0 || isEmpty)) ||
        (characters < MIN_BESIDE_PICTURE && covered >= IS_PICTURE) ||
        unread > characters,
    )
    .map(({ page }) => page);
}

/** Returns a copy of a file with other text on some pages. */
export function withPages(file: ReadFile, texts: ReadonlyMap<number, string>): ReadFile {
  const pages = pagesOf(file).map((text, index) => texts.get(index + 1) ?? text);
  const pageQuality = file.pageQuality.map((quality) => {
    const text = texts.get(quality.page);
    if (text === undefined) return quality;
    const { page, images } = quality;
    return { page, images, characters: countCharacters(text) };
  });
  const changed = { ...file, markdown: pages.join("\f"), pageQuality };
  if (!file.layout?.lines) return changed;
  // the lines of another text are not those of the sheet
  const lines = file.layout.lines.filter(([page]) => !texts.has(page));
  return { ...changed, layout: { ...file.layout, lines } };
}

/**
 * Returns the markdown of a document: each line that repeats at the edges of its pages follows the
 * first page that shows it, so that a search finds it.
 */
export function withFurniture(file: ReadFile): string {
  const { furniture = [], markdown } = file;
  if (furniture.length === 0) return markdown;
  const pages = pagesOf(file);
  for (const { page, text } of furniture) {
    const at = Math.min(Math.max(page, 1), pages.length) - 1;
    pages[at] = [pages[at], escapeMarkdown(text)].filter(Boolean).join("\n\n");
  }
  return pages.join("\f");
}

/** A text as Markdown that shows it. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

/** Names pages in a sentence, at most ten. */
export function pageList(pages: readonly number[]): string {
  const shown = pages.slice(0, 10).join(", ");
  return `${pages.length === 1 ? "page" : "pages"} ${shown}${pages.length > 10 ? ` and ${pages.length - 10} more` : ""}`;
}
