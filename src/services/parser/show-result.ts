import type { ParseQuery, ParseResult } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type { ParsedImage } from "@parlance/to-markdown/parsed-file.ts";
import type { ParsedResult } from "./parse-file.ts";

/** The options of a query. */
export function optionsOf(query: Partial<ParseQuery>): ParseOptions {
  const {
    parser_method,
    extract_tables,
    extract_images,
    ocr_enabled,
    ocr_mode,
    caption_images,
  } = query;
  return {
    ...(parser_method && parser_method !== "auto" && { parserMethod: parser_method }),
    ...(extract_tables !== undefined && { extractTables: extract_tables }),
    ...(extract_images !== undefined && { extractImages: extract_images }),
    ...(ocr_enabled !== undefined && { ocrEnabled: ocr_enabled }),
    ...(ocr_mode && { ocrMode: ocr_mode }),
    ...(caption_images !== undefined && { captionImages: caption_images }),
  };
}

/** Encodes images for JSON. */
export function toImages(
  images: readonly ParsedImage[],
): NonNullable<ParseResult["images"]> {
  return images.map(({ bytes, ...image }) => ({
    ...image,
    data: Buffer.from(bytes).toString("base64"),
  }));
}

export function toResult({
  file: { markdown, tables, images },
  metadata,
}: ParsedResult): ParseResult {
  return {
    markdown,
    metadata,
    ...(tables && { tables }),
    ...(images && { images: toImages(images) }),
  };
}
