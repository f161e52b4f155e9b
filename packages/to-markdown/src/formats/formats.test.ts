import { expect, test } from "vitest";
import { formatOfMimeType, formatOfName } from "./find-format.ts";
import { FORMATS } from "./formats.ts";

test.each(FORMATS.map((format) => [format.kind, format] as const))(
  "%s is found by each of its extensions and media types, and no other format claims them",
  (_, format) => {
    for (const extension of format.extensions)
      expect(formatOfName(`report.final.${extension.toUpperCase()}`)).toBe(format);
    for (const type of format.mimeTypes)
      expect(formatOfMimeType(`${type}; charset=utf-8`)).toBe(format);
  },
);
