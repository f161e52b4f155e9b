/**
 * A pattern with `?` (one character but a slash), `*` (any but slashes) and `**` (any), as an
 * automaton: bit `i` of a state set means that the first `i` atoms are read. An atom is a literal
 * character or `?`; a wildcard lets its state stay. Sets are words of 32 bits.
 * Source: R. Baeza-Yates and G. Gonnet, "A new approach to text searching" (1992).
 */
interface Glob {
  atoms: string[];
  words: number;
  /** States that stay at any character, and at any but a slash. */
  stayAlways: Uint32Array;
  stayInPart: Uint32Array;
}

const ONE = "?";
const SLASH = "/";

/** Time grows with the text's length times a 32nd of the pattern's, whatever they hold. */
export function globMatches(pattern: string, text: string): boolean {
  const glob = readGlob(pattern);
  const { atoms, words } = glob;
  if (text.length < atoms.length) return false;
  const steps = new Map<string, Uint32Array>();
  let states = new Uint32Array(words);
  let next = new Uint32Array(words);
  states[0] = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string; // within the text
    const step = steps.get(character) ?? stepsOf(glob, character);
    steps.set(character, step);
    if (!advance(glob, { states, next, step, isSlash: character === SLASH })) return false;
    [states, next] = [next, states];
  }
  return has(states, atoms.length);
}

function readGlob(pattern: string): Glob {
  const pieces = pattern === "*" ? ["**"] : (pattern.match(/\*+|[^*]/gs) ?? []);
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

/** The states from which a character leads to the next one. */
function stepsOf({ atoms, words }: Glob, character: string): Uint32Array {
  const step = new Uint32Array(words);
  for (const [at, atom] of atoms.entries())
    if (atom === character || (atom === ONE && character !== SLASH)) add(step, at);
  return step;
}

interface Reading {
  states: Uint32Array;
  next: Uint32Array;
  step: Uint32Array;
  isSlash: boolean;
}

/** Fills `next`. @returns whether any state is left. */
function advance({ words, stayAlways, stayInPart }: Glob, reading: Reading): boolean {
  const { states, next, step, isSlash } = reading;
  let carry = 0;
  let any = 0;
  for (let word = 0; word < words; word += 1) {
    const now = states[word] as number; // all sets have as many words
    const moved = now & (step[word] as number);
    const always = stayAlways[word] as number;
    const stay = isSlash ? always : always | (stayInPart[word] as number);
    const after = (now & stay) | (moved << 1) | carry;
    carry = moved >>> 31;
    next[word] = after;
    any |= after;
  }
  return any !== 0;
}

function add(set: Uint32Array, state: number): void {
  set[state >> 5] = (set[state >> 5] as number) | (1 << (state & 31)); // within the set
}

function has(set: Uint32Array, state: number): boolean {
  return ((set[state >> 5] as number) & (1 << (state & 31))) !== 0;
}
