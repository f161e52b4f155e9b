import { shortenText } from "../../platform/shorten-text.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { inGroups } from "../../platform/in-groups.ts";
import { askVisionModel, canSee, type VisionModel } from "./ocr/ask-vision-model.ts";
import { pagesOf } from "./pages.ts";
import type { Parsing } from "./parsing.ts";
import type { ParsedImage } from "@parlance/to-markdown/parsed-file.ts";
import type { ReadFile } from "./read-file.ts";

/** Of one document. */
const MAX_CAPTIONS = 50;
const MIN_BYTES = 2_000;
const MAX_BYTES = 10 * 2 ** 20;
const AT_ONCE = 4;
const MAX_CAPTION_CHARACTERS = 500;
const TASK =
  "Say in one or two sentences what this picture from a document shows: for a chart its subject and main message, with the numbers that it names.";

/**
 * Describes images with a vision model and inserts the captions into the markdown at the images.
 */
export async function captionImages(
  vision: VisionModel | undefined,
  file: ReadFile,
  parsing: Pick<Parsing, "signal" | "userId">,
): Promise<ReadFile> {
  const images = file.images ?? [];
  if (images.length === 0) return file;
  const warn = (warning: string) => ({ ...file, warnings: [...file.warnings, warning] });
  if (!vision) return warn("Pictures have no captions: CAPTION_MODEL is not set.");
  const seen = images
    .filter(
      ({ mimeType, bytes }) =>
        canSee(mimeType) && bytes.byteLength >= MIN_BYTES && bytes.byteLength <= MAX_BYTES,
    )
    .slice(0, MAX_CAPTIONS);
  const captions = new Map<ParsedImage, string>();
  const failures: ApiError[] = [];
  const captionOne = async (image: ParsedImage) => {
    try {
      const text = await askVisionModel(vision, TASK, image, parsing);
      const caption = shortenText(text.replace(/\s+/g, " "), MAX_CAPTION_CHARACTERS).trim();
      if (caption) captions.set(image, caption);
    } catch (error) {
      parsing.signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      failures.push(error);
    }
  };
  for (const some of inGroups(seen, AT_ONCE)) await Promise.all(some.map(captionOne));
  const warnings = failures[0]
    ? [`${failures.length} pictures have no caption: ${failures[0].message}`]
    : [];
  return {
    ...file,
    markdown: embed(file, captions),
    images: images.map((image) => {
      const caption = captions.get(image);
      return caption === undefined ? image : { ...image, caption };
    }),
    warnings: [...file.warnings, ...warnings],
  };
}

/** Replaces an image's label, or appends to its page when the Markdown does not name the image. */
function embed(file: ReadFile, captions: ReadonlyMap<ParsedImage, string>): string {
  const pages = pagesOf(file);
  for (const [{ page, name }, caption] of captions) {
    const text = pages[page - 1];
    if (text === undefined) continue;
    const label = caption.replace(/[[\]\\]/g, " ");
    const target = `](${name})`;
    const at = text.indexOf(target);
    const start = at < 0 ? -1 : text.lastIndexOf("![", at);
    pages[page - 1] =
      start < 0
        ? `${text.trimEnd()}\n\n![${label}](${name})\n`
        : `${text.slice(0, start)}![${label}${text.slice(at)}`;
  }
  return pages.join("\f");
}
