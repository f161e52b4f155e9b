import { FORMATS } from "@parlance/to-markdown/formats/formats.ts";
import { PICTURES } from "../../platform/files/sniff-type.ts";

/** The media types that can be parsed. */
export const READABLE_TYPES = [
  "application/pdf",
  ...FORMATS.map(({ mimeTypes: [registered] }) => registered),
  ...PICTURES,
];
