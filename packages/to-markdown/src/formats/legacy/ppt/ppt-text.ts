import { type Paragraph, type Block, paragraph } from "../../blocks.ts";
import type { PptRecord } from "./ppt-records.ts";

export const TEXT_BOX = 0xf00d;
const TEXT_HEADER = 0x0f9f;
const TEXT_CHARACTERS = 0x0fa0;
const TEXT_BYTES = 0x0fa8;

export interface Text {
  /** 0 and 6 are titles; 1, 7 and 8 are bodies of lists. Source: [MS-PPT] 2.13.33. */
  kind: number;
  text: string;
}

/** The texts in the records of a text box, or of a slide in the outline. */
export function textsOf(records: readonly PptRecord[]): Text[] {
  const texts: Text[] = [];
  for (const { type, data } of records) {
    const last = texts.at(-1);
    if (type === TEXT_HEADER)
      texts.push({ kind: data.length >= 4 ? data.readUInt32LE(0) : 4, text: "" });
    else if (type === TEXT_CHARACTERS && last) last.text += data.toString("utf16le");
    else if (type === TEXT_BYTES && last) last.text += data.toString("latin1");
  }
  return texts;
}

export function textBlocks({ kind, text }: Text, title: boolean): Block[] {
  const lines = text
    .split("\r")
    .map((line) => line.replaceAll("\v", "\n").trim())
    .filter((line) => line !== "" && line !== "*");
  if (title) return [{ kind: "heading", level: 1, runs: [{ text: lines.join(" ") }] }];
  const listed = (kind === 1 || kind === 7 || kind === 8) && lines.length > 1;
  const item: Partial<Paragraph> = listed ? { depth: 1, marker: "-" } : {};
  return lines.map((line) => paragraph([{ text: line }], item));
}
