import { setImmediate } from "node:timers/promises";
import {
  alternatives,
  comparable,
  type OriginPattern,
  originMatches,
  parseOrigin,
  typeAlternatives,
  typeMatches,
  typesOf,
} from "./patterns.ts";
import type { Rule } from "./contract.ts";
import type { Medium } from "./contract-media.ts";

/** What a type pattern names, by the class of the match. */
export const TYPE_MATCHES = ["any", "family", "type"] as const;

export interface Match {
  rule: Rule;
  /** 2: the type itself, 1: its family, 0: any type. */
  typeClass: 0 | 1 | 2;
  origin: OriginPattern;
}

interface Entry {
  rule: Rule;
  origin: OriginPattern;
}

/**
 * An index of the active rules of one client. Each rule is stored under the key that it shares with
 * the fewest other rules: a whole part of its origin between slashes, its prefix or its suffix.
 * Of 100,000 rules only a few are compared. A rule whose origin has no such key is stored under its
 * type.
 */
export class RuleIndex {
  readonly #byKey = new Map<string, Entry[]>();
  /** The lengths of prefixes and suffixes that are keys. */
  readonly #lengths = { begin: new Set<number>(), end: new Set<number>() };

  /** The keys of each rule, for its removal. */
  readonly #keys = new Map<number, string[]>();

  constructor(rules: readonly Rule[] = []) {
    for (const _ of this.#fill(rules));
  }

  /** Builds an index without blocking the event loop. */
  static async build(rules: readonly Rule[]): Promise<RuleIndex> {
    const index = new RuleIndex();
    for (const _ of index.#fill(rules)) await setImmediate();
    return index;
  }

  /** Adds or replaces a rule; removes it if it is inactive. */
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

  /** Yields after every `RULES_PER_TURN` rules. */
  *#fill(rules: readonly Rule[]): Generator<void> {
    const frequency = new Map<string, number>();
    for (const [index, { origin }] of rules.entries()) {
      for (const text of alternatives(origin))
        for (const key of keysOf(parseOrigin(text)))
          frequency.set(key, (frequency.get(key) ?? 0) + 1);
      if (index % RULES_PER_TURN === 0) yield;
    }
    for (const [index, rule] of rules.entries()) {
      this.#place(rule, (key) => frequency.get(key) ?? 0);
      if (index % RULES_PER_TURN === 0) yield;
    }
  }

  #place(rule: Rule, countRulesWith: (key: string) => number): void {
    for (const text of alternatives(rule.origin)) {
      const entry = { rule, origin: parseOrigin(text) };
      const keys = keysOf(entry.origin);
      if (keys.length > 0)
        this.#add(
          keys.reduce((best, key) =>
            countRulesWith(key) < countRulesWith(best) ? key : best,
          ),
          entry,
        );
      else
        for (const key of new Set(typeAlternatives(rule.type).map(typeKey)))
          this.#add(key, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    const entriesOf = this.#byKey.get(key);
    if (entriesOf) entriesOf.push(entry);
    else this.#byKey.set(key, [entry]);
    const keys = this.#keys.get(entry.rule.id);
    if (keys) keys.push(key);
    else this.#keys.set(entry.rule.id, [key]);
    if (key.startsWith(BEGIN)) this.#lengths.begin.add(key.length - 1);
    else if (key.startsWith(END)) this.#lengths.end.add(key.length - 1);
  }

  /** Every rule that matches, most specific first: by type, then origin, then the lower id. */
  matches(medium: Medium): Match[] {
    const best = new Map<number, Match>();
    for (const _ of this.#find(medium, best));
    return [...best.values()].sort(compare);
  }

  /** As `matches`, without blocking the event loop. */
  async matchesInTurns(medium: Medium): Promise<Match[]> {
    const best = new Map<number, Match>();
    for (const _ of this.#find(medium, best)) await setImmediate();
    return [...best.values()].sort(compare);
  }

  /** Fills `best`. Yields after every `MAX_TURN_WORK` of work. */
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
        const previous = match && best.get(entry.rule.id);
        if (match && (!previous || compare(match, previous) < 0))
          best.set(entry.rule.id, match);
      }
    }
  }

  *#candidates(origin: string, types: ReadonlySet<string>): Iterable<Entry> {
    const entriesOf = (key: string) => this.#byKey.get(key) ?? [];
    for (const part of new Set(origin.split("/"))) yield* entriesOf(PART + part);
    for (const length of this.#lengths.begin)
      if (length <= origin.length) yield* entriesOf(BEGIN + origin.slice(0, length));
    for (const length of this.#lengths.end)
      if (length <= origin.length)
        yield* entriesOf(END + origin.slice(origin.length - length));
    yield* entriesOf(typeKey("*"));
    for (const type of types) {
      yield* entriesOf(typeKey(type));
      if (type.endsWith("/*")) yield* entriesOf(typeKey(type.slice(0, -2)));
    }
  }
}

const RULES_PER_TURN = 500;
/** Work between two yields, in units of `workOf`; a few milliseconds. */
const MAX_TURN_WORK = 250_000;

function workOf({ rule, origin }: Entry, text: string): number {
  return 100 + 10 * rule.type.length + text.length * ((origin.text.length >> 5) + 1);
}

/** The first character of a key, which tells its kind. */
const [PART, BEGIN, END, TYPE] = ["|", "^", "$", ":"] as const;

/** The parts between slashes, prefix and suffix that a matching text must have, if any. */
function keysOf({ text, isExact }: OriginPattern): string[] {
  if (text === "*") return [];
  if (isExact) return [BEGIN + text];
  const parts = text.split("/").filter((part) => part !== "" && !/[*?]/.test(part));
  const begin = /^[^*?]+/.exec(text)?.[0];
  const end = /(?<![^*?])[^*?]+$/.exec(text)?.[0];
  return [
    ...parts.map((part) => PART + part),
    ...(begin ? [BEGIN + begin] : []),
    ...(end ? [END + end] : []),
  ];
}

/** The key of a type pattern: `*` for any, `audio/*` for a family, or a name without its dot. */
function typeKey(pattern: string): string {
  return TYPE + (pattern === "*/*" ? "*" : pattern.replace(/^\./, ""));
}

/** The texts that origin patterns match; an empty text, which only `*` and `**` match, if none. */
function originsOf({ origin, path, tags, metadata }: Medium): string[] {
  const facts = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  const given = [origin, path, ...tags, ...facts].flatMap((text) =>
    text ? [comparable(text)] : [],
  );
  return given.length > 0 ? given : [""];
}

function matchOf(
  { rule, origin }: Entry,
  types: ReadonlySet<string>,
  text: string,
): Match | undefined {
  let typeClass: Match["typeClass"] | undefined;
  for (const pattern of typeAlternatives(rule.type)) {
    const typeMatch = typeMatches(pattern, types);
    if (typeMatch !== undefined && (typeClass === undefined || typeMatch > typeClass))
      typeClass = typeMatch;
  }
  return typeClass !== undefined && originMatches(origin, text)
    ? { rule, typeClass, origin }
    : undefined;
}

/** Orders matches, most specific first. */
export function compare(left: Match, other: Match): number {
  return (
    other.typeClass - left.typeClass ||
    Number(other.origin.isExact) - Number(left.origin.isExact) ||
    other.origin.literals - left.origin.literals ||
    left.rule.id - other.rule.id
  );
}
