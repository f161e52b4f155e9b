import { FORMATS } from "@parlance/to-markdown/formats/formats.ts";
import { PICTURES } from "../../platform/files/sniff-type.ts";

/** Media types that are read. */
export const READABLE_TYPES = [
  "application/pdf",
  ...FORMATS.map(({ mimeTypes: [registered] }) => registered),
  ...PICTURES,
];
