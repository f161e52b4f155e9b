/** A piece of an origin pattern between its wildcards. */
type Token = { literal: string } | "one" | "part" | "any";

export interface OriginPattern {
  text: string;
  tokens: Token[];
  /** Without wildcards. */
  exact: boolean;
  /** Literal characters: the more, the more specific. */
  literals: number;
}

/** The alternatives of a pattern that is a list, in lower case: types and origins do not tell case apart. */
export function alternatives(pattern: string): string[] {
  return pattern
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Literal text with `?` (one character but a slash), `*` (any but slashes) and `**` (any). A lone `*` is any as well. */
export function readOrigin(text: string): OriginPattern {
  const tokens: Token[] =
    text === "*"
      ? ["any"]
      : (text.match(/\*+|\?|[^*?]+/g) ?? []).map((piece) =>
          piece === "?"
            ? "one"
            : piece === "*"
              ? "part"
              : piece.startsWith("**")
                ? "any"
                : { literal: piece },
        );
  const literals = tokens.reduce(
    (sum, token) => sum + (typeof token === "object" ? token.literal.length : 0),
    0,
  );
  return { text, tokens, exact: tokens.every((token) => typeof token === "object"), literals };
}

/**
 * Whether a pattern fits a text, in time of their lengths' product at most: no pattern can hold the server up (security row 24).
 * Goes through the tokens with the set of all places that the text may have been read to.
 */
export function originMatches({ tokens }: OriginPattern, text: string): boolean {
  let places = new Uint8Array(text.length + 1);
  places[0] = 1;
  for (const token of tokens) {
    const next = new Uint8Array(text.length + 1);
    if (typeof token === "object") {
      for (let at = 0; at <= text.length; at += 1)
        if (places[at] && text.startsWith(token.literal, at)) next[at + token.literal.length] = 1;
    } else if (token === "one") {
      for (let at = 0; at < text.length; at += 1)
        if (places[at] && text[at] !== "/") next[at + 1] = 1;
    } else {
      for (let at = 0; at <= text.length; at += 1) {
        const reached = at > 0 && next[at - 1] === 1 && (token === "any" || text[at - 1] !== "/");
        if (places[at] || reached) next[at] = 1;
      }
    }
    places = next;
  }
  return places[text.length] === 1;
}

/** How near a type pattern comes: 2 names the type itself, 1 its family (`audio/*`), 0 is any; `undefined`: not at all. */
export function typeMatches(pattern: string, types: ReadonlySet<string>): 0 | 1 | 2 | undefined {
  if (pattern === "*" || pattern === "*/*") return 0;
  if (types.has(pattern) || types.has(pattern.replace(/^\./, ""))) return 2;
  const family = /^([^/]+)\/\*$/.exec(pattern)?.[1];
  return family !== undefined && types.has(family) ? 1 : undefined;
}

/** All names by which a medium's type may be called: `audio/mpeg`, `audio`, `mp3`, or one of the caller's own. */
export function typesOf({
  type,
  mimeType,
  filename,
}: Partial<Record<"type" | "mimeType" | "filename", string | undefined>>): Set<string> {
  const extension = /\.([^./\\]+)$/.exec(filename ?? "")?.[1]?.toLowerCase();
  const names = [type, mimeType].flatMap((given) => {
    const mime = given?.toLowerCase().split(";")[0]?.trim();
    return [mime, mime?.includes("/") ? mime.split("/")[0] : undefined];
  });
  return new Set(
    [...names, extension].filter((name): name is string => name !== undefined && name !== ""),
  );
}
