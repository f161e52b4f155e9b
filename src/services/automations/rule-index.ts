import { alternatives, type OriginPattern, originMatches, readOrigin, typeMatches, typesOf } from "./patterns.ts";
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
 * The active rules of one client, ready to be matched: each is looked up by the rarest literal part of its origin, so that of 100,000 rules
 * those few are tried which have a part in common with the medium's origin. Source: requirements 3, matching rules 2 and 3.
 */
export class RuleIndex {
  /** By a part that stands in the origin between slashes. */
  readonly #byPart = new Map<string, Entry[]>();
  /** Without any whole literal part: tried always. */
  readonly #loose: Entry[] = [];

  constructor(rules: readonly Rule[]) {
    const entries = rules.flatMap((rule) => alternatives(rule.origin).map((text): Entry => ({ rule, origin: readOrigin(text) })));
    const frequency = new Map<string, number>();
    for (const { origin } of entries)
      for (const part of literalParts(origin)) frequency.set(part, (frequency.get(part) ?? 0) + 1);
    for (const entry of entries) {
      const parts = literalParts(entry.origin);
      const rarest = parts.reduce<string | undefined>(
        (best, part) => (best === undefined || (frequency.get(part) ?? 0) < (frequency.get(best) ?? 0) ? part : best),
        undefined,
      );
      if (rarest === undefined) this.#loose.push(entry);
      else {
        const those = this.#byPart.get(rarest);
        if (those) those.push(entry);
        else this.#byPart.set(rarest, [entry]);
      }
    }
  }

  /** Every rule that fits, the most specific first: type before origin, then the lower id. */
  matches(medium: Medium): Match[] {
    const types = typesOf(medium);
    const best = new Map<number, Match>();
    for (const origin of originsOf(medium)) {
      for (const entry of this.#candidates(origin)) {
        const match = matchOf(entry, types, origin);
        const before = match && best.get(entry.rule.id);
        if (match && (!before || compare(match, before) < 0)) best.set(entry.rule.id, match);
      }
    }
    return [...best.values()].sort(compare);
  }

  *#candidates(origin: string): Iterable<Entry> {
    yield* this.#loose;
    for (const part of new Set(origin.split("/"))) yield* this.#byPart.get(part) ?? [];
  }
}

/** The parts between slashes that hold no wildcard: a text that fits has each of them as a whole. */
export function literalParts({ text }: OriginPattern): string[] {
  return text === "*" ? [] : text.split("/").filter((part) => part !== "" && !/[*?]/.test(part));
}

/** Where a medium may be said to come from; one that says nothing comes from nowhere, which only `*` and `**` fit. */
export function originsOf({ origin, path, tags, metadata }: Medium): string[] {
  const facts = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  const given = [origin, path, ...tags, ...facts].flatMap((text) => (text ? [text.toLowerCase()] : []));
  return given.length > 0 ? given : [""];
}

export function matchOf({ rule, origin }: Entry, types: ReadonlySet<string>, text: string): Match | undefined {
  let typeClass: Match["typeClass"] | undefined;
  for (const pattern of alternatives(rule.type)) {
    const found = typeMatches(pattern, types);
    if (found !== undefined && (typeClass === undefined || found > typeClass)) typeClass = found;
  }
  return typeClass !== undefined && originMatches(origin, text) ? { rule, typeClass, origin } : undefined;
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
