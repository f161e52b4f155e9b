/** Numbers from a seed: the same seed gives the same documents on every machine. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** An integer from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
}

/** Source: mulberry32 by Tommy Ettinger, public domain; the text is hashed by FNV-1a. */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      // no list of this folder is empty
      return values[whole(0, values.length - 1)] as Value;
    },
  };
}
