import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rule } from "./contract.ts";
import type { Medium } from "./contract-media.ts";
import { alternatives, originMatches, parseOrigin, typesOf } from "./patterns.ts";
import { RuleIndex } from "./rule-index.ts";
import { held } from "../../../test/support/held.ts";

const rule = (id: number, type: string, origin: string): Rule => ({
  id,
  name: `rule ${id}`,
  type,
  origin,
  agents: [],
  is_active: true,
  client_id: "c",
  scope: "client",
  user_id: "u",
  created_at: "",
  last_update: "",
});
const medium = (given: Partial<Medium>): Medium => ({ tags: [], metadata: {}, ...given });
const winnerOf = (rules: Rule[], given: Partial<Medium>) =>
  new RuleIndex(rules).matches(medium(given))[0]?.rule.id;

/** A slow and simple model: a regular expression for each pattern. */
function simpleFits(pattern: string, text: string): boolean {
  if (pattern === "*") return true;
  const source = pattern.replace(/\*+|\?|[^*?]+/g, (piece) =>
    piece === "?"
      ? "[^/]"
      : piece === "*"
        ? "[^/]*"
        : piece.startsWith("**")
          ? "[^]*"
          : piece.replace(/[\\^$.|+()[\]{}]/g, "\\$&"),
  );
  return new RegExp(`^(?:${source})$`).test(text);
}

/** The model for whole rules: compares each of them. */
function simpleMatches(rules: Rule[], given: Medium): number[] {
  const types = typesOf(given);
  const texts = [
    given.origin,
    given.path,
    ...given.tags,
    ...Object.entries(given.metadata).map((pair) => pair.join("=")),
  ].flatMap((text) => (text ? [text.toLowerCase()] : []));
  const scored = rules.flatMap(({ id, type, origin }) => {
    const classes = alternatives(type).flatMap((one) => {
      if (one === "*" || one === "*/*") return [0];
      const names = [one, one.replace(/^\./, "")];
      if (!one.endsWith("/*") && names.some((name) => types.has(name))) return [2];
      return types.has(one) || types.has(`${one}/*`) ? [1] : [];
    });
    const places = alternatives(origin).filter((one) =>
      (texts.length > 0 ? texts : [""]).some((text) => simpleFits(one, text)),
    );
    if (classes.length === 0 || places.length === 0) return [];
    const best = places
      .map((one) => [/[*?]/.test(one) ? 0 : 1, one.replace(/[*?]/g, "").length] as const)
      .sort((a, b) => b[0] - a[0] || b[1] - a[1])[0];
    return [{ id, key: [Math.max(...classes), best?.[0] ?? 0, best?.[1] ?? 0, -id] }];
  });
  return scored
    .sort((a, b) => {
      for (let index = 0; index < 4; index += 1) {
        const difference = (b.key[index] ?? 0) - (a.key[index] ?? 0);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ id }) => id);
}

const part = fc.constantFrom("uploads", "a", "b", "invoices", "x.pdf", "2026");
const wild = fc.constantFrom("*", "**", "?", "*.pdf", "a*", "*a*", "in?oices");
const originPattern = fc.oneof(
  fc.constantFrom("*", "**"),
  fc
    .array(fc.oneof(part, wild), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/")),
);
const typePattern = fc.constantFrom(
  "*",
  "audio",
  "audio/*",
  "audio/mpeg",
  "mp3",
  ".pdf",
  "application/pdf",
  "pdf",
  "image/*",
  "audio/*,video/*",
  "letter",
);
const anyRule = fc
  .tuple(typePattern, originPattern, originPattern, fc.boolean())
  .map(([type, one, two, list]) => ({ type, origin: list ? `${one}, ${two}` : one }));
const anyMedium = fc.record({
  type: fc.constantFrom(
    undefined,
    "audio/mpeg",
    "Application/PDF; charset=x",
    "video/mp4",
    "letter",
  ),
  filename: fc.constantFrom(undefined, "song.MP3", "a/b.pdf", "noextension"),
  origin: fc.option(
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join("/")),
    { nil: undefined },
  ),
  path: fc.option(
    fc.array(part, { maxLength: 3 }).map((parts) => parts.join("/")),
    { nil: undefined },
  ),
  tags: fc.array(part, { maxLength: 2 }),
  metadata: fc.dictionary(fc.constantFrom("a", "b"), part, { maxKeys: 2 }),
});

test("the index and the simple model find the same rules in the same order", () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 30 }), anyMedium, (patterns, given) => {
      const rules = patterns.map(({ type, origin }, index) =>
        rule(index + 1, type, origin),
      );
      expect(new RuleIndex(rules).matches(given).map((match) => match.rule.id)).toEqual(
        simpleMatches(rules, given),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("an index after single changes finds the same rules as a new index", async () => {
  const changes = fc.array(
    fc.tuple(fc.nat(12), anyRule, fc.constantFrom("put", "off", "remove")),
    {
      maxLength: 40,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRule, { maxLength: 12 }),
      changes,
      anyMedium,
      async (first, later, given) => {
        const rules = new Map(
          first.map(({ type, origin }, id) => [id, rule(id, type, origin)]),
        );
        const index = await RuleIndex.build([...rules.values()]);
        for (const [id, { type, origin }, change] of later) {
          if (change === "put") rules.set(id, rule(id, type, origin));
          else rules.delete(id);
          if (change === "remove") index.remove(id);
          else index.put({ ...rule(id, type, origin), is_active: change === "put" });
        }
        const ids = (of: RuleIndex) => of.matches(given).map((match) => match.rule.id);
        expect(ids(index)).toEqual(ids(new RuleIndex([...rules.values()])));
      },
    ),
    { numRuns: 500 },
  );
});

test("an origin pattern matches the same texts as a regular expression", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "/", ".", "(", "+"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  const pattern = fc
    .array(fc.constantFrom("a", "b", "/", "*", "**", "?", ".", "(", "+"), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(pattern, text, (one, whole) => {
      expect(originMatches(parseOrigin(one), whole)).toBe(simpleFits(one, whole));
    }),
    { numRuns: 5_000 },
  );
  held("pattern-matching", 5_000);
});

test("patterns and texts longer than 32 characters match the same as regular expressions", () => {
  const long = (parts: string[], length: number) =>
    fc
      .array(fc.constantFrom(...parts), { minLength: 30, maxLength: length })
      .map((all) => all.join(""));
  fc.assert(
    fc.property(long(["a", "ab", "?", "/", "\n"], 90), fc.nat(), (text, at) => {
      const middle = at % text.length;
      for (const wild of ["*", "**", "?", "*?*"]) {
        const pattern =
          `${text.slice(0, middle)}${wild}${text.slice(middle + 1)}`.replaceAll("\n", "a");
        expect(originMatches(parseOrigin(pattern), text)).toBe(simpleFits(pattern, text));
      }
    }),
    { numRuns: 1_000 },
  );
});

test("matching hostile patterns and texts does not block the event loop", async () => {
  const bait = ["*?".repeat(250), `${"*a".repeat(200)}b`, `${"**a".repeat(150)}b`];
  const rules = Array.from({ length: 60 }, (_, id) => rule(id, "*", bait[id % 3] ?? ""));
  const index = await RuleIndex.build(rules);
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const given = {
    origin: "a".repeat(2_000),
    tags: Array<string>(50).fill("a".repeat(2_000)),
  };
  await index.matchesInTurns(medium(given));
  clearInterval(others);
  expect(turns).toBeGreaterThan(20);
  held("pattern-matching", rules.length);
});

test("the most specific type wins, then the most specific origin, then the lower id", () => {
  const given = { type: "audio/mpeg", origin: "uploads/music" };
  expect(
    winnerOf(
      [rule(1, "*", "uploads/music"), rule(2, "audio/*", "*"), rule(3, "audio/mpeg", "*")],
      given,
    ),
  ).toBe(3);
  expect(
    winnerOf(
      [
        rule(1, "audio/*", "**"),
        rule(2, "audio/*", "uploads/*"),
        rule(3, "audio/*", "uploads/music"),
      ],
      given,
    ),
  ).toBe(3);
  expect(
    winnerOf([rule(7, "audio", "uploads/*"), rule(4, "audio", "uploads/*")], given),
  ).toBe(4);
  expect(
    winnerOf([rule(1, "video/*", "*"), rule(2, "audio", "downloads/*")], given),
  ).toBeUndefined();
});

test("`audio` is a family like `audio/*`, and less specific than `audio/mpeg`", () => {
  const song = { mimeType: "audio/mpeg", filename: "song.bin" };
  const rules = [
    rule(1, "audio", "*"),
    rule(2, "audio/*", "*"),
    rule(3, "audio/mpeg", "*"),
  ];
  expect(winnerOf(rules, song)).toBe(3);
  expect(winnerOf(rules.slice(0, 2), song)).toBe(1);
  expect(winnerOf([rule(1, "audio/*", "*"), rule(2, "audio", "*")], song)).toBe(1);
  // the caller's own type is named exactly
  expect(
    winnerOf([rule(1, "audio/*", "*"), rule(2, "audio", "*")], { type: "audio" }),
  ).toBe(2);
});

test("compares types without parameters, and takes an extension from the path too", () => {
  const rules = [rule(1, "text/plain; charset=utf-8", "*"), rule(2, ".pdf", "*")];
  expect(winnerOf(rules, { mimeType: "text/plain" })).toBe(1);
  expect(winnerOf(rules, { path: "a/b.PDF" })).toBe(2);
});

test("compares accents in one form, and counts a code point as one character", () => {
  const composed = "Gr\u00f6\u00dfe";
  expect(winnerOf([rule(1, "*", composed + "*")], { path: "Gro\u0308\u00dfe.pdf" })).toBe(
    1,
  );
  expect(winnerOf([rule(1, "*", "a?.pdf")], { path: "a\u{1F600}.pdf" })).toBe(1);
  expect(winnerOf([rule(1, "*", "a?.pdf")], { path: "a\u{1F600}b.pdf" })).toBeUndefined();
});
