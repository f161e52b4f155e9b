import { TextDecoder } from "node:util";
import { decoderNamed } from "../guess-encoding.ts";
import { signedContent } from "./signed-content.ts";
import { decodeWords } from "./decode-words.ts";

const MAX_DEPTH = 20;
const MAX_PARTS = 1_000;

/** A part of a message: text, a file, or another message. */
export interface MailPart {
  headers: Map<string, string>;
  mimeType: string;
  charset?: string | undefined;
  /** Whether its lines were broken by the mail program. Source: RFC 3676. */
  flowed: "no" | "at-spaces" | "with-added-spaces";
  /** The name of an attachment. */
  fileName?: string | undefined;
  attached: boolean;
  body: Buffer;
  parts: MailPart[];
}

/**
 * Parses a message into its parts, with limits on depth and number. Malformed parts count as text.
 * Source: RFC 5322, RFC 2045 and 2046.
 */
export function parseMessage(bytes: Uint8Array): MailPart {
  const budget = { parts: MAX_PARTS };
  // one character per byte: boundaries and headers are ASCII, and each part is decoded later
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
  );
  return parsePart(withLineEnds(source), 0, budget);
}

/** Old mailboxes of a Mac end lines by CR alone. */
function withLineEnds(source: string): string {
  const end = source.indexOf("\r\r");
  const hasCrAlone = end > 0 && !source.slice(0, end).includes("\n");
  return hasCrAlone ? source.replaceAll(/\r(?!\n)/g, "\n") : source;
}

/** `outer`: the headers of the message that wraps this one, of which it has the rest. */
function parsePart(
  source: string,
  depth: number,
  budget: { parts: number },
  outer?: ReadonlyMap<string, string>,
): MailPart {
  const { headers, rest } = readHeaders(source);
  const type = headers.get("content-type") ?? "text/plain";
  const mimeType = type.split(";", 1)[0]?.trim().toLowerCase() ?? "text/plain";
  const disposition = headers.get("content-disposition") ?? "";
  const part: MailPart = {
    headers,
    mimeType,
    charset: parameterOf(type, "charset"),
    flowed: flowOf(type),
    fileName: parameterOf(disposition, "filename") ?? parameterOf(type, "name"),
    attached: /^attachment/i.test(disposition),
    body: Buffer.alloc(0),
    parts: [],
  };
  for (const [name, value] of outer ?? [])
    if (!headers.has(name) && !name.startsWith("content-")) headers.set(name, value);
  const boundary = parameterOf(type, "boundary");
  if (mimeType.startsWith("multipart/") && boundary !== undefined && depth < MAX_DEPTH) {
    for (const piece of splitAt(rest, boundary, budget))
      part.parts.push(parsePart(piece, depth + 1, budget));
  } else if (mimeType === "message/rfc822" && depth < MAX_DEPTH) {
    part.parts.push(
      parsePart(decodeBody(rest, headers).toString("latin1"), depth + 1, budget),
    );
  } else {
    part.body = decodeBody(rest, headers);
    const signed =
      /^application\/(?:x-)?pkcs7-mime$/.test(mimeType) && depth < MAX_DEPTH
        ? signedContent(part.body)
        : undefined;
    if (signed) return parsePart(signed.toString("latin1"), depth + 1, budget, headers);
  }
  return part;
}

function readHeaders(source: string): { headers: Map<string, string>; rest: string } {
  const headers = new Map<string, string>();
  const empty = /\r?\n\r?\n/g.exec(source);
  const head =
    source.startsWith("\n") || source.startsWith("\r\n")
      ? ""
      : source.slice(0, empty?.index ?? source.length);
  for (const line of head
    .slice(0, 500_000)
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const rest =
    head === ""
      ? source.replace(/^\r?\n/, "")
      : empty
        ? source.slice(empty.index + empty[0].length)
        : "";
  return { headers, rest };
}

function splitAt(source: string, boundary: string, budget: { parts: number }): string[] {
  const mark = `--${boundary}`;
  const pieces: string[] = [];
  let at = source.startsWith(mark) ? 0 : source.indexOf(`\n${mark}`) + 1;
  if (at === 0 && !source.startsWith(mark)) return pieces;
  while (budget.parts > 0 && !source.startsWith(`${mark}--`, at)) {
    const start = source.indexOf("\n", at) + 1;
    if (start === 0) break;
    // a part without headers begins with the line end of its boundary
    const next = source.indexOf(`\n${mark}`, start - 1);
    pieces.push(source.slice(start, next < 0 ? source.length : next).replace(/\r$/, ""));
    budget.parts -= 1;
    if (next < 0) break;
    at = next + 1;
  }
  return pieces;
}

/** Reads a parameter of a header, also when it is split and percent-encoded. Source: RFC 2231. */
function parameterOf(header: string, name: string): string | undefined {
  const plain = new RegExp(
    `;\\s*${name}\\s*=\\s*(?:"([^"]{0,1000})"|([^;\\s]{1,1000}))`,
    "i",
  ).exec(header);
  if (plain) return decodeWords(plain[1] ?? plain[2] ?? "");
  const pieces = [
    ...header.matchAll(
      new RegExp(
        `;\\s*${name}\\*(?:\\d{1,2}\\*?)?\\s*=\\s*(?:"([^"]{0,1000})"|([^;\\s]{1,1000}))`,
        "gi",
      ),
    ),
  ].map((match) => match[1] ?? match[2] ?? "");
  if (pieces.length === 0) return undefined;
  const [, charset = "utf-8", value = ""] = /^([\w-]*)'[^']*'(.*)$/s.exec(
    pieces.join(""),
  ) ?? [undefined, "utf-8", pieces.join("")];
  const raw = Buffer.from(
    value.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    ),
    "latin1",
  );
  return (decoderNamed(charset) ?? new TextDecoder()).decode(raw);
}

function flowOf(type: string): MailPart["flowed"] {
  if (parameterOf(type, "format")?.toLowerCase() !== "flowed") return "no";
  const addsSpaces = parameterOf(type, "delsp")?.toLowerCase() === "yes";
  return addsSpaces ? "with-added-spaces" : "at-spaces";
}

function decodeBody(body: string, headers: Map<string, string>): Buffer {
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "";
  if (encoding.startsWith("base64")) return Buffer.from(body, "base64");
  if (encoding.startsWith("quoted-printable")) {
    const text = body
      // a space before the sign belongs to the text; mail servers add some behind it
      .replace(/=[ \t]*(?:\r?\n|$)/g, "")
      .replace(/=([\da-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      );
    return Buffer.from(text, "latin1");
  }
  return Buffer.from(body, "latin1");
}
