import { globMatches } from "./glob.ts";

export interface OriginPattern {
  text: string;
  /** Whether it has no wildcards. */
  isExact: boolean;
  /** The number of literal characters; more are more specific. */
  literals: number;
}

/**
 * The form in which texts are compared: case is ignored, and so is whether an accent is a character
 * of its own (macOS stores file names so).
 */
export function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The alternatives of a pattern list, in the form in which they are compared. */
export function alternatives(pattern: string): string[] {
  return comparable(pattern)
    .split(",")
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== "");
}

/** The alternatives of a list of types, without their parameters: `text/plain; charset=utf-8`. */
export function typeAlternatives(pattern: string): string[] {
  return alternatives(pattern).flatMap((alternative) => {
    const name = alternative.split(";")[0]?.trim();
    return name ? [name] : [];
  });
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
 * All names of a medium's type: `audio/mpeg`, its family `audio/*`, the extension `mp3` of its
 * file name or else its path, and the caller's own type, which is its own family.
 */
export function typesOf({
  type,
  mimeType,
  filename,
  path,
}: Partial<
  Record<"type" | "mimeType" | "filename" | "path", string | undefined>
>): Set<string> {
  const [extension] = [filename, path].flatMap(
    (name) => /\.([^./\\]+)$/.exec(name ?? "")?.[1]?.toLowerCase() ?? [],
  );
  const names = [type, mimeType].flatMap((type) => {
    const name = type?.toLowerCase().split(";")[0]?.trim();
    return name ? [name, `${name.split("/")[0]}/*`] : [];
  });
  return new Set(extension ? [...names, extension] : names);
}
