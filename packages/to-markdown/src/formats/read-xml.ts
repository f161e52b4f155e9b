import { tooComplex } from "./refuse-file.ts";

/** Only files that are built to expand without limit have such entities. */
const NESTED_ENTITY =
  /<!ENTITY\s+[^\s%"'>]+\s+(?:"[^"&]*(?:&#[^"&]*)*&(?!#)|'[^'&]*(?:&#[^'&]*)*&(?!#))/;

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Thrown by a handler to stop reading. */
export const STOP = Symbol("enough");

/**
 * Reads XML as it arrives, in linear time. Ignores document types and the file's own entities, so
 * that no file expands or reads another one. Reads malformed XML as far as possible.
 * @throws FileError `too_complex` where entities contain other entities.
 */
export async function readXml(
  pieces: AsyncIterable<string> | Iterable<string>,
  handlers: XmlHandlers,
): Promise<void> {
  let buffer = "";
  /** An incomplete token is examined again only when its text has doubled */
  let enough = 0;
  try {
    for await (const piece of pieces) {
      buffer += piece;
      if (buffer.length < enough) continue;
      const read = readTokens(buffer, handlers);
      buffer = buffer.slice(read);
      enough = buffer.length * 2;
    }
    buffer = buffer.slice(readTokens(buffer, handlers));
    if (buffer !== "" && !buffer.startsWith("<")) handlers.text?.(decoded(buffer));
  } catch (error) {
    if (error !== STOP) throw error;
  }
}

/** @returns the position up to which the text was read: the start of an incomplete last token. */
function readTokens(text: string, handlers: XmlHandlers): number {
  let at = 0;
  for (;;) {
    const start = text.indexOf("<", at);
    if (start < 0) return at;
    if (start > at) handlers.text?.(decoded(text.slice(at, start)));
    const end = readTag(text, start, handlers);
    if (end < 0) return start;
    at = end;
  }
}

function readTag(text: string, start: number, handlers: XmlHandlers): number {
  switch (text[start + 1]) {
    case undefined:
      return -1;
    case "?":
      return after(text, "?>", start);
    case "!":
      return readDeclaration(text, start, handlers);
    case "/": {
      const end = text.indexOf(">", start);
      if (end >= 0) handlers.close?.(text.slice(start + 2, end).trim());
      return end < 0 ? -1 : end + 1;
    }
    default:
      return readOpening(text, start, handlers);
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function readDeclaration(text: string, start: number, handlers: XmlHandlers): number {
  if (text.startsWith("<!--", start)) return after(text, "-->", start + 4);
  if (text.startsWith("<![CDATA[", start)) {
    const end = text.indexOf("]]>", start);
    if (end >= 0) handlers.text?.(text.slice(start + 9, end));
    return end < 0 ? -1 : end + 3;
  }
  // "<!" may be cut before its kind is known
  if (text.length - start < 9) return -1;
  const end = text.indexOf(">", start);
  const subset = text.indexOf("[", start);
  if (end < 0 || subset < 0 || subset > end) return end < 0 ? -1 : end + 1;
  const close = /\]\s*>/g;
  close.lastIndex = subset;
  if (!close.test(text)) return -1;
  if (NESTED_ENTITY.test(text.slice(subset, close.lastIndex)))
    throw tooComplex("its XML defines entities that contain other entities");
  return close.lastIndex;
}

const QUOTE = 34;
const APOSTROPHE = 39;
const GREATER = 62;

function readOpening(text: string, start: number, handlers: XmlHandlers): number {
  let quote = 0;
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === GREATER) break;
  }
  if (end >= text.length) return -1;
  const closed = text[end - 1] === "/";
  const tag = text.slice(start + 1, closed ? end - 1 : end);
  const space = tag.search(/\s/);
  const name = space < 0 ? tag : tag.slice(0, space);
  handlers.open?.(name, space < 0 ? {} : readAttributes(tag.slice(space)));
  if (closed) handlers.close?.(name);
  return end + 1;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(
    /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (name !== "__proto__") attributes[name] = decoded(double ?? single ?? "");
  }
  return attributes;
}

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{1,8}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** The part of a name after its prefix, which each file chooses itself. */
export function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}
