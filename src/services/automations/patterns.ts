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

/**
 * A pattern with `?` (one code point except a slash), `*` (any text without slashes) and `**` (any
 * text), as an automaton: bit `i` of a state set means that the first `i` atoms have matched. An
 * atom is a literal character or `?`; a wildcard keeps its state. Sets are words of 32 bits.
 * See R. Baeza-Yates and G. Gonnet, "A new approach to text searching" (1992).
 */
interface Glob {
  atoms: string[];
  words: number;
  /** States that any character keeps, and states that any character except a slash keeps. */
  stayAlways: Uint32Array;
  stayInPart: Uint32Array;
}

const ANY_CHARACTER = "?";
const SLASH = "/";

/** Takes time in the order of text length × pattern length / 32, whatever they contain. */
export function globMatches(pattern: string, text: string): boolean {
  const glob = readGlob(pattern);
  const { atoms, words } = glob;
  if (text.length < atoms.length) return false;
  const steps = new Map<string, Uint32Array>();
  let states = new Uint32Array(words);
  let next = new Uint32Array(words);
  states[0] = 1;
  for (const character of text) {
    const step = steps.get(character) ?? stepsOf(glob, character);
    steps.set(character, step);
    if (!advance(glob, { states, next, step, isSlash: character === SLASH })) return false;
    [states, next] = [next, states];
  }
  return contains(states, atoms.length);
}

function readGlob(pattern: string): Glob {
  const pieces = pattern === "*" ? ["**"] : (pattern.match(/\*+|[^*]/gsu) ?? []);
  const atoms = pieces.filter((piece) => !piece.startsWith("*"));
  const words = (atoms.length >> 5) + 1;
  const glob = {
    atoms,
    words,
    stayAlways: new Uint32Array(words),
    stayInPart: new Uint32Array(words),
  };
  let read = 0;
  for (const piece of pieces) {
    if (!piece.startsWith("*")) read += 1;
    else add(piece.length > 1 ? glob.stayAlways : glob.stayInPart, read);
  }
  return glob;
}

/** The states that a character advances. */
function stepsOf({ atoms, words }: Glob, character: string): Uint32Array {
  const step = new Uint32Array(words);
  for (const [index, atom] of atoms.entries())
    if (atom === character || (atom === ANY_CHARACTER && character !== SLASH))
      add(step, index);
  return step;
}

interface Reading {
  states: Uint32Array;
  next: Uint32Array;
  step: Uint32Array;
  isSlash: boolean;
}

/** Fills `next`. @returns whether it contains any state. */
function advance({ words, stayAlways, stayInPart }: Glob, reading: Reading): boolean {
  const { states, next, step, isSlash } = reading;
  let carry = 0;
  let any = 0;
  for (let word = 0; word < words; word += 1) {
    const current = states[word] as number; // all sets have as many words
    const moved = current & (step[word] as number);
    const always = stayAlways[word] as number;
    const stay = isSlash ? always : always | (stayInPart[word] as number);
    const after = (current & stay) | (moved << 1) | carry;
    carry = moved >>> 31;
    next[word] = after;
    any |= after;
  }
  return any !== 0;
}

function add(set: Uint32Array, state: number): void {
  set[state >> 5] = (set[state >> 5] as number) | (1 << (state & 31)); // within the set
}

function contains(set: Uint32Array, state: number): boolean {
  return ((set[state >> 5] as number) & (1 << (state & 31))) !== 0;
}
