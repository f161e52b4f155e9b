import { FORMATS } from "@parlance/to-markdown/formats/formats.ts";

/** Images that OCR and vision models read. */
export const PICTURES: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
];

/** The media types that can be parsed. */
export const READABLE_TYPES = [
  "application/pdf",
  ...FORMATS.map(({ mimeTypes: [registered] }) => registered),
  ...PICTURES,
];
