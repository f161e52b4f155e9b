import { globMatches } from "./glob.ts";

export interface OriginPattern {
  text: string;
  /** Without wildcards. */
  exact: boolean;
  /** Literal characters: the more, the more specific. */
  literals: number;
}

/**
 * The alternatives of a pattern that is a list, in lower case: types and origins do not tell case
 * apart.
 */
export function alternatives(pattern: string): string[] {
  return pattern
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Literal text with `?`, `*` and `**`, as `globMatches` reads them. A lone `*` fits anything. */
export function readOrigin(text: string): OriginPattern {
  const literals = text.replace(/[*?]/g, "").length;
  return { text, exact: literals === text.length, literals };
}

/** Whether a pattern fits a text. */
export function originMatches({ text: pattern, exact }: OriginPattern, text: string): boolean {
  return exact ? pattern === text : globMatches(pattern, text);
}

/**
 * How near a type pattern comes: 2 names the type itself, 1 its family (`audio/*` or `audio`), 0 is
 * any; `undefined`: not at all.
 */
export function typeMatches(pattern: string, types: ReadonlySet<string>): 0 | 1 | 2 | undefined {
  if (pattern === "*" || pattern === "*/*") return 0;
  if (pattern.endsWith("/*")) return types.has(pattern) ? 1 : undefined;
  if (types.has(pattern) || types.has(pattern.replace(/^\./, ""))) return 2;
  return types.has(`${pattern}/*`) ? 1 : undefined;
}

/**
 * All names of a medium's type: `audio/mpeg`, its family as `audio/*`, the extension `mp3`, and one
 * of the caller's own, which is its own family.
 */
export function typesOf({
  type,
  mimeType,
  filename,
}: Partial<Record<"type" | "mimeType" | "filename", string | undefined>>): Set<string> {
  const extension = /\.([^./\\]+)$/.exec(filename ?? "")?.[1]?.toLowerCase();
  const names = [type, mimeType].flatMap((given) => {
    const name = given?.toLowerCase().split(";")[0]?.trim();
    return name ? [name, `${name.split("/")[0]}/*`] : [];
  });
  return new Set(extension ? [...names, extension] : names);
}
