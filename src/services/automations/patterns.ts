import { globMatches } from "./glob.ts";

export interface OriginPattern {
  text: string;
  /** Whether it has no wildcards. */
  isExact: boolean;
  /** The number of literal characters; more are more specific. */
  literals: number;
}

/** The alternatives of a pattern list, in lower case: types and origins ignore case. */
export function alternatives(pattern: string): string[] {
  return pattern
    .toLowerCase()
    .split(",")
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== "");
}

/** Parses text with `?`, `*` and `**`, as in `globMatches`. A single `*` matches anything. */
export function parseOrigin(text: string): OriginPattern {
  const literals = text.replace(/[*?]/g, "").length;
  return { text, isExact: literals === text.length, literals };
}

/** Whether a pattern matches a text. */
export function originMatches(
  { text: pattern, isExact }: OriginPattern,
  text: string,
): boolean {
  return isExact ? pattern === text : globMatches(pattern, text);
}

/**
 * How specifically a type pattern matches: 2 names the type itself, 1 its family (`audio/*` or
 * `audio`), 0 any type; `undefined`: it does not match.
 */
export function typeMatches(
  pattern: string,
  types: ReadonlySet<string>,
): 0 | 1 | 2 | undefined {
  if (pattern === "*" || pattern === "*/*") return 0;
  if (pattern.endsWith("/*")) return types.has(pattern) ? 1 : undefined;
  if (types.has(pattern) || types.has(pattern.replace(/^\./, ""))) return 2;
  return types.has(`${pattern}/*`) ? 1 : undefined;
}

/**
 * All names of a medium's type: `audio/mpeg`, its family `audio/*`, the extension `mp3`, and the
 * caller's own type, which is its own family.
 */
export function typesOf({
  type,
  mimeType,
  filename,
}: Partial<Record<"type" | "mimeType" | "filename", string | undefined>>): Set<string> {
  const extension = /\.([^./\\]+)$/.exec(filename ?? "")?.[1]?.toLowerCase();
  const names = [type, mimeType].flatMap((type) => {
    const name = type?.toLowerCase().split(";")[0]?.trim();
    return name ? [name, `${name.split("/")[0]}/*`] : [];
  });
  return new Set(extension ? [...names, extension] : names);
}
