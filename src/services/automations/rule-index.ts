import { setImmediate } from "node:timers/promises";
import {
  alternatives,
  type OriginPattern,
  originMatches,
  readOrigin,
  typeMatches,
  typesOf,
} from "./patterns.ts";
import type { Medium, Rule } from "./contract.ts";

export interface Match {
  rule: Rule;
  /** 2 exact, 1 family, 0 any. */
  typeClass: 0 | 1 | 2;
  origin: OriginPattern;
}

interface Entry {
  rule: Rule;
  origin: OriginPattern;
}

/**
 * The active rules of one client, ready to be matched: each is looked up by what its origin has in
 * common with the fewest others, be it a whole part between slashes, its beginning or its end, so
 * that of 100,000 rules a few are tried. One whose origin says nothing of the kind is looked up by
 * its type. Source: requirements 3, matching rules 2 and 3.
 */
export class RuleIndex {
  readonly #byKey = new Map<string, Entry[]>();
  /** Of the beginnings and ends that are keys. */
  readonly #lengths = { begin: new Set<number>(), end: new Set<number>() };

  /** The keys of each rule, to take it out again. */
  readonly #keys = new Map<number, string[]>();

  constructor(rules: readonly Rule[] = []) {
    for (const _ of this.#fill(rules));
  }

  /** The same for many rules, letting others work in between. */
  static async build(rules: readonly Rule[]): Promise<RuleIndex> {
    const index = new RuleIndex();
    for (const _ of index.#fill(rules)) await setImmediate();
    return index;
  }

  /** A rule as it is now, in place of what it was; one that is not active is taken out. */
  put(rule: Rule): void {
    this.remove(rule.id);
    if (rule.is_active) this.#place(rule, (key) => this.#byKey.get(key)?.length ?? 0);
  }

  remove(id: number): void {
    for (const key of this.#keys.get(id) ?? []) {
      const left = this.#byKey.get(key)?.filter(({ rule }) => rule.id !== id) ?? [];
      if (left.length > 0) this.#byKey.set(key, left);
      else this.#byKey.delete(key);
    }
    this.#keys.delete(id);
  }

  /** Yields now and then. */
  *#fill(rules: readonly Rule[]): Generator<void> {
    const frequency = new Map<string, number>();
    for (const [at, { origin }] of rules.entries()) {
      for (const text of alternatives(origin))
        for (const key of keysOf(readOrigin(text)))
          frequency.set(key, (frequency.get(key) ?? 0) + 1);
      if (at % AT_ONCE === 0) yield;
    }
    for (const [at, rule] of rules.entries()) {
      this.#place(rule, (key) => frequency.get(key) ?? 0);
      if (at % AT_ONCE === 0) yield;
    }
  }

  /** `often`: how many others have a key. */
  #place(rule: Rule, often: (key: string) => number): void {
    for (const text of alternatives(rule.origin)) {
      const entry = { rule, origin: readOrigin(text) };
      const keys = keysOf(entry.origin);
      if (keys.length > 0)
        this.#add(
          keys.reduce((best, key) => (often(key) < often(best) ? key : best)),
          entry,
        );
      else for (const key of new Set(alternatives(rule.type).map(typeKey))) this.#add(key, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    const those = this.#byKey.get(key);
    if (those) those.push(entry);
    else this.#byKey.set(key, [entry]);
    const keys = this.#keys.get(entry.rule.id);
    if (keys) keys.push(key);
    else this.#keys.set(entry.rule.id, [key]);
    if (key.startsWith(BEGIN)) this.#lengths.begin.add(key.length - 1);
    else if (key.startsWith(END)) this.#lengths.end.add(key.length - 1);
  }

  /** Every rule that fits, the most specific first: type before origin, then the lower id. */
  matches(medium: Medium): Match[] {
    const best = new Map<number, Match>();
    for (const _ of this.#find(medium, best));
    return [...best.values()].sort(compare);
  }

  /** The same, letting others work in between where much must be compared. */
  async matchesInTurns(medium: Medium): Promise<Match[]> {
    const best = new Map<number, Match>();
    for (const _ of this.#find(medium, best)) await setImmediate();
    return [...best.values()].sort(compare);
  }

  /** Fills `best`. Yields now and then. */
  *#find(medium: Medium, best: Map<number, Match>): Generator<void> {
    const types = typesOf(medium);
    let work = 0;
    for (const origin of originsOf(medium)) {
      for (const entry of this.#candidates(origin, types)) {
        work += workOf(entry, origin);
        if (work > MAX_TURN_WORK) {
          work = 0;
          yield;
        }
        const match = matchOf(entry, types, origin);
        const before = match && best.get(entry.rule.id);
        if (match && (!before || compare(match, before) < 0)) best.set(entry.rule.id, match);
      }
    }
  }

  *#candidates(origin: string, types: ReadonlySet<string>): Iterable<Entry> {
    const those = (key: string) => this.#byKey.get(key) ?? [];
    for (const part of new Set(origin.split("/"))) yield* those(PART + part);
    for (const length of this.#lengths.begin)
      if (length <= origin.length) yield* those(BEGIN + origin.slice(0, length));
    for (const length of this.#lengths.end)
      if (length <= origin.length) yield* those(END + origin.slice(origin.length - length));
    yield* those(typeKey("*"));
    for (const type of types) {
      yield* those(typeKey(type));
      if (type.endsWith("/*")) yield* those(typeKey(type.slice(0, -2)));
    }
  }
}

/** Rules that are read in one go. */
const AT_ONCE = 500;
/** What is compared in one go: a few milliseconds. */
const MAX_TURN_WORK = 250_000;

function workOf({ rule, origin }: Entry, text: string): number {
  return 100 + 10 * rule.type.length + text.length * ((origin.text.length >> 5) + 1);
}

/** One character before a key says of which kind it is. */
const [PART, BEGIN, END, TYPE] = ["|", "^", "$", ":"] as const;

/**
 * What a text must have that fits: a whole part between slashes, a beginning, an end. None where
 * the pattern says nothing of the kind.
 */
function keysOf({ text, exact }: OriginPattern): string[] {
  if (text === "*") return [];
  if (exact) return [BEGIN + text];
  const parts = text.split("/").filter((part) => part !== "" && !/[*?]/.test(part));
  const begin = /^[^*?]+/.exec(text)?.[0];
  const end = /[^*?]+$/.exec(text)?.[0];
  return [
    ...parts.map((part) => PART + part),
    ...(begin ? [BEGIN + begin] : []),
    ...(end ? [END + end] : []),
  ];
}

/**
 * Under which a type pattern is found: `*` for any, `audio/*` for a family, the name itself without
 * the dot of an ending.
 */
function typeKey(pattern: string): string {
  return TYPE + (pattern === "*/*" ? "*" : pattern.replace(/^\./, ""));
}

/**
 * Where a medium may be said to come from; one that says nothing comes from nowhere, which only `*`
 * and `**` fit.
 */
export function originsOf({ origin, path, tags, metadata }: Medium): string[] {
  const facts = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  const given = [origin, path, ...tags, ...facts].flatMap((text) =>
    text ? [text.toLowerCase()] : [],
  );
  return given.length > 0 ? given : [""];
}

export function matchOf(
  { rule, origin }: Entry,
  types: ReadonlySet<string>,
  text: string,
): Match | undefined {
  let typeClass: Match["typeClass"] | undefined;
  for (const pattern of alternatives(rule.type)) {
    const found = typeMatches(pattern, types);
    if (found !== undefined && (typeClass === undefined || found > typeClass)) typeClass = found;
  }
  return typeClass !== undefined && originMatches(origin, text)
    ? { rule, typeClass, origin }
    : undefined;
}

/** Below zero: `one` comes first. Source: design "Specificity". */
export function compare(one: Match, other: Match): number {
  return (
    other.typeClass - one.typeClass ||
    Number(other.origin.exact) - Number(one.origin.exact) ||
    other.origin.literals - one.origin.literals ||
    one.rule.id - other.rule.id
  );
}
