import { openCompound, type Compound } from "../legacy/compound/open-compound.ts";
import { decodeText, decodeHtml } from "../decode-text.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { mailBlocks } from "./mail-blocks.ts";

/** The properties of messages. Source: [MS-OXPROPS]. */
const SUBJECT = "0037";
const BODY = "1000";
const HTML = "1013";
const SENDER = "0C1A";
const SENDER_ADDRESS = "5D01";
const TO = "0E04";
const CC = "0E03";
const FILE_NAME = "3707";
const SHORT_NAME = "3704";
const DATA = "3701";
const SENT = 0x00390040;
const DELIVERED = 0x0e060040;

/** Reads Outlook messages. Names attachments, and returns them. Source: [MS-OXMSG]. */
export async function readMsg(
  bytes: Uint8Array,
  _options: ReadOptions,
): Promise<FileContent> {
  const file = openCompound(bytes);
  const subject = textOf(file, "", SUBJECT) ?? "";
  const folders = new Set(
    file.paths.flatMap(
      (path) => /^__attach_version1\.0_#[\dA-F]+\//i.exec(path)?.[0] ?? [],
    ),
  );
  const attachments = [...folders].map((folder) => ({
    name:
      textOf(file, folder, FILE_NAME) ?? textOf(file, folder, SHORT_NAME) ?? "attachment",
    // an attached message is a folder of its own without bytes
    bytes: file.stream(`${folder}__substg1.0_${DATA}0102`) ?? new Uint8Array(),
  }));
  const sender = [textOf(file, "", SENDER), textOf(file, "", SENDER_ADDRESS)].filter(
    Boolean,
  );
  const page = file.stream(`__substg1.0_${HTML}0102`);
  const blocks = mailBlocks({
    subject,
    headers: [
      [
        "From",
        sender.length === 2 && sender[0] !== sender[1]
          ? `${sender[0]} <${sender[1]}>`
          : (sender[0] ?? ""),
      ],
      ["To", textOf(file, "", TO) ?? ""],
      ["Cc", textOf(file, "", CC) ?? ""],
      ["Date", dateOf(file) ?? ""],
    ],
    text: textOf(file, "", BODY),
    html: page ? decodeHtml(page) : textOf(file, "", HTML),
    attachments: attachments.map(({ name }) => name),
  });
  return { blocks, title: subject, author: sender[0], attachments };
}

function textOf(file: Compound, folder: string, property: string): string | undefined {
  const wide = file.stream(`${folder}__substg1.0_${property}001F`);
  const narrow = wide ? undefined : file.stream(`${folder}__substg1.0_${property}001E`);
  const text = wide?.toString("utf16le") ?? (narrow && decodeText(narrow));
  return text?.replace(/\0+$/, "").trim() || undefined;
}

/**
 * Reads a date from the list of fixed properties: a header of 32 bytes, then tag, flags and value
 * of 8 bytes each.
 */
function dateOf(file: Compound): string | undefined {
  const properties = file.stream("__properties_version1.0");
  for (const wanted of [SENT, DELIVERED]) {
    for (let at = 32; properties && at + 16 <= properties.length; at += 16) {
      if (properties.readUInt32LE(at) !== wanted) continue;
      // in units of 100 nanoseconds since 1601
      const moment = new Date(
        Number(properties.readBigUInt64LE(at + 8) / 10_000n) - 11_644_473_600_000,
      );
      if (Number.isFinite(moment.getTime()))
        return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    }
  }
  return undefined;
}
