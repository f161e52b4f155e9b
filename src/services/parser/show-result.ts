import {
  type JsonPieces,
  objectPieces,
  slices,
  streamPieces,
  stringPieces,
} from "../../platform/json/json-pieces.ts";
import type { ParseQuery, ParseResult } from "./contract.ts";
import type { ParseOptions } from "./contract-jobs.ts";
import type { ParsedImage } from "@parlance/to-markdown/parsed-file.ts";
import type { ParsedResult } from "./parse-file.ts";
import type { ReadFile } from "./read-file.ts";

type ShownImage = NonNullable<ParseResult["images"]>[number];

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

/** The members of an answer that a file may make large. */
export function partsOf({ tables, images }: Pick<ReadFile, "tables" | "images">) {
  return {
    tables: tables === undefined ? undefined : slices(tables),
    images: images && imagePieces(images),
  };
}

function* imagePieces(images: readonly ParsedImage[]): Generator<string> {
  let separator = "[";
  for (const { bytes, ...image } of images) {
    const shown: ShownImage = { ...image, data: Buffer.from(bytes).toString("base64") };
    yield `${separator}${JSON.stringify(shown)}`;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/** A `ParseResult` as JSON. */
export function resultPieces({ file, metadata }: ParsedResult): Generator<string> {
  return objectPieces({
    markdown: stringPieces(file.markdown),
    metadata: [JSON.stringify(metadata)],
    ...partsOf(file),
  });
}

export function jsonAnswer(pieces: JsonPieces | AsyncIterable<string>): Response {
  return new Response(streamPieces(pieces), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}
