import { isRecord } from "../../api/is-record.ts";

/** What a view asks for, checked: anybody may have written it. Source: MCP Apps, 2026-01-26. */

const INVALID_PARAMS = -32_602;
const MAX_NAME_CHARACTERS = 128;
const MAX_URL_CHARACTERS = 2_000;
const MAX_URI_CHARACTERS = 10_000;
const MAX_SAID_CHARACTERS = 4_000;
/** Of what a view adds to what the model reads. As in contract-view-contexts.ts. */
const MAX_ADDED_CHARACTERS = 8_000;
const MAX_LINE_CHARACTERS = 500;

export type DisplayMode = "inline" | "fullscreen";
type Params = Record<string, unknown>;

export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The tool that a view calls, and with what. */
export function callIn({ name, arguments: values = {} }: Params): {
  name: string;
  values: Record<string, unknown>;
} {
  const isName = typeof name === "string" && name.length <= MAX_NAME_CHARACTERS;
  if (!isName || !isRecord(values))
    throw new Refusal(INVALID_PARAMS, "Name a tool, and give its arguments as an object.");
  return { name, values };
}

export function linkIn({ url }: Params): string {
  const read =
    typeof url === "string" && url.length <= MAX_URL_CHARACTERS && URL.parse(url);
  if (!read || !/^https?:$/.test(read.protocol) || read.username !== "")
    throw new Refusal(INVALID_PARAMS, "Only addresses of pages (http, https) are opened.");
  return read.href;
}

export function uriIn({ uri }: Params): string {
  if (typeof uri !== "string" || uri === "" || uri.length > MAX_URI_CHARACTERS)
    throw new Refusal(
      INVALID_PARAMS,
      `Name a resource, by at most ${MAX_URI_CHARACTERS} characters.`,
    );
  return uri;
}

/** The text of a message. */
export function messageIn({ role, content }: Params): string {
  const text = textOf(Array.isArray(content) ? content : [content]);
  if (role !== "user" || text === "" || text.length > MAX_SAID_CHARACTERS)
    throw new Refusal(
      INVALID_PARAMS,
      `Only a text of a user, of at most ${MAX_SAID_CHARACTERS} characters, is sent.`,
    );
  return text;
}

/** What a view adds to what the model reads next. */
export function contextIn({ content = [], structuredContent }: Params): string {
  const parts = Array.isArray(content) ? content : [content];
  if (parts.some((part) => !isRecord(part) || part["type"] !== "text"))
    throw new Refusal(INVALID_PARAMS, "Only texts and structured content are taken.");
  const text = textOf(parts);
  const data = structuredContent === undefined ? "" : JSON.stringify(structuredContent);
  const added = [text, data].filter((part) => part !== "").join("\n\n");
  if (added.length > MAX_ADDED_CHARACTERS)
    throw new Refusal(
      INVALID_PARAMS,
      `At most ${MAX_ADDED_CHARACTERS} characters are added to what the model reads.`,
    );
  return added;
}

/** The display modes that a view says that it has; undefined where it does not say. */
export function modesIn({ appCapabilities }: Params): readonly unknown[] | undefined {
  const said = isRecord(appCapabilities) && appCapabilities["availableDisplayModes"];
  return Array.isArray(said) ? said : undefined;
}

/** A line for whoever looks why a view does not work. */
export function lineIn({ level, logger, data }: Params): string {
  const said = typeof data === "string" ? data : JSON.stringify(data);
  const parts = [level, logger].filter((part) => typeof part === "string");
  return [...parts, said].join(" ").slice(0, MAX_LINE_CHARACTERS);
}

function textOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (isRecord(part) && part["type"] === "text" ? part["text"] : undefined))
    .filter((part) => typeof part === "string")
    .join("\n")
    .trim();
}

const MAX_DEPTH = 64;

/**
 * Whether a value is JSON of at most so many characters. It looks no further than that: what is
 * huge costs no more to refuse.
 */
export function isWithin(value: unknown, maxCharacters: number): boolean {
  return left(value, maxCharacters, 0) >= 0;
}

/** What is left of the room, negative when there is none. */
function left(value: unknown, room: number, depth: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (value === null || typeof value !== "object") return room - String(value).length - 1;
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return -1;
  // an entry costs its comma, also one without a value
  if (Array.isArray(value) && value.length > room) return -1;
  const entries = Array.isArray(value) ? value : Object.entries(value);
  let rest = room - 2;
  for (const entry of entries) {
    rest = left(entry, rest - 1, depth + 1);
    if (rest < 0) return rest;
  }
  return rest;
}
