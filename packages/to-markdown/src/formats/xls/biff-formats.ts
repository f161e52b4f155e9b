import {
  builtInKind,
  type Formats,
  kindOfCode,
  type NumberKind,
} from "../xlsx/format-value.ts";
import type { BiffRecord } from "./biff-records.ts";
import { longString, shortString } from "./biff-strings.ts";

const XF = 0xe0;
const FORMAT = 0x41e;
const DATEMODE = 0x22;

/** The kinds of numbers by the formats of cells. Source: [MS-XLS] 2.4.126, 2.4.353. */
export function biffFormats(
  globals: readonly BiffRecord[],
  wide: boolean,
  codePage: number,
): Formats {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let date1904 = false;
  for (const { type, data } of globals) {
    if (type === FORMAT && data.length > 3)
      codes.set(
        data.readUInt16LE(0),
        wide ? longString(data, 2, true, codePage) : shortString(data, 2, false, codePage),
      );
    else if (type === DATEMODE && data.length >= 2) date1904 = data.readUInt16LE(0) === 1;
    else if (type === XF && data.length >= 4) {
      const format = data.readUInt16LE(2);
      const code = codes.get(format);
      kinds.push(builtInKind(format) ?? (code === undefined ? "number" : kindOfCode(code)));
    }
  }
  return { kindOf: (style) => kinds[style] ?? "number", date1904 };
}
