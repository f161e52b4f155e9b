import { isRecord } from "../../platform/json/is-record.ts";

// Arguments of tools that their servers want as headers, too, so that a proxy can route by them.
// Source: Model Context Protocol, 2026-07-28, streamable HTTP: custom headers from tool parameters.

const MARK = "x-mcp-header";
/** Source: RFC 9110, token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
/** What a field value can hold as it is. */
const PLAIN = /^[\t\x20-\x7e]+$/;
const ENCODED = /^=\?base64\?.*\?=$/s;
const TYPES = ["string", "integer", "boolean"];

interface ParamHeader {
  /** Of the argument. */
  path: readonly string[];
  header: string;
}

/** The arguments that a tool wants as headers; undefined where its schema marks them wrongly. */
export function paramHeadersOf(schema: Record<string, unknown>): ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  const names = new Set<string>();
  const collect = (node: Record<string, unknown>, path: readonly string[]): boolean => {
    if (MARK in node) {
      const { [MARK]: header, type } = node;
      const isGood = typeof header === "string" && TOKEN.test(header);
      const isKnown = typeof type === "string" && TYPES.includes(type);
      if (!isGood || !isKnown || path.length === 0) return false;
      if (names.has(header.toLowerCase())) return false;
      names.add(header.toLowerCase());
      found.push({ path, header });
    }
    return Object.entries(node).every(([key, inner]) =>
      key === "properties" && isRecord(inner)
        ? Object.entries(inner).every(
            ([name, one]) => !isRecord(one) || collect(one, [...path, name]),
          )
        : DATA.includes(key) || !isMarked(inner),
    );
  };
  return collect(schema, []) ? found : undefined;
}

/** Keywords whose value is data of any form, not a schema. */
const DATA = ["const", "default", "enum", "examples", MARK];

/** Whether a schema that is no plain chain of properties marks an argument. */
function isMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMarked);
  if (!isRecord(value)) return false;
  return (
    MARK in value ||
    Object.entries(value).some(([key, inner]) => !DATA.includes(key) && isMarked(inner))
  );
}

/** The headers of a call with these arguments; absent ones and null have none. */
export function paramHeaders(
  wanted: readonly ParamHeader[],
  args: Record<string, unknown>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of wanted) {
    const text = textOf(valueAt(args, path));
    if (text !== undefined)
      headers[`mcp-param-${header.toLowerCase()}`] = headerValue(text);
  }
  return headers;
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path)
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
  return undefined;
}

/** A text as the value of a header, which holds ASCII without spaces at its ends. */
export function headerValue(text: string): string {
  const isPlain = PLAIN.test(text) && text === text.trim() && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
