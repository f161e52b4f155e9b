import { readFileSync } from "node:fs";
import { statedPage } from "../contract-places.ts";
import {
  CharacterTextSplitter,
  RecursiveCharacterTextSplitter,
} from "@langchain/textsplitters";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { beforeAll, expect, test, vi } from "vitest";
import { type CountPiece, loadByteRanks, pieceCounter } from "./byte-pairs.ts";
import type { TextLayout } from "../../parser/contract-jobs.ts";
import { CHUNKING_METHODS } from "../contract-jobs.ts";
import { type CutOptions, cutText, CutTooLarge, MAX_REPETITIONS } from "./cut-text.ts";
import { tokenRuler } from "./ruler.ts";
import { semchunk } from "./semchunk.ts";

let countPiece: CountPiece;
beforeAll(async () => {
  countPiece = pieceCounter(await loadByteRanks());
});
const cut = (text: string, options: Partial<CutOptions> = {}) =>
  cutText(
    text,
    { method: "lib_recursive", chunkSize: 50, chunkOverlap: 0, unit: "tokens", ...options },
    countPiece,
  );
const contents = (text: string, options: Partial<CutOptions>) =>
  cut(text, options).map(({ content }) => content);

/**
 * Usual and unusual texts: words, punctuation, blank lines, page breaks, other scripts, lone
 * surrogates.
 */
const PARTS = [
  "a",
  "Word",
  " ",
  "  ",
  "\n",
  "\n\n",
  ". ",
  "don't",
  "é",
  "日本語",
  "😀",
  "12345",
  "\t",
  "-----",
  "\f",
  "# Title\n",
  "(x)",
  "\r\n",
];
const texts = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 300 })
  .map((parts) => parts.join(""));
const sizes = fc.record({
  chunkSize: fc.integer({ min: 8, max: 60 }),
  chunkOverlap: fc.integer({ min: 0, max: 7 }),
});

test("counts the tokens of any part as the model's own tokenizer does", () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (text, one, other) => {
      const [start = 0, end = 0] = [
        one % (text.length + 1),
        other % (text.length + 1),
      ].sort((a, b) => a - b);
      const part = text.slice(start, end);
      fc.pre(!/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(part));
      expect(tokenRuler(text, countPiece).size(start, end)).toBe(countTokens(part));
    }),
    { numRuns: 400 },
  );
});

test.each(CHUNKING_METHODS)(
  "%s: a chunk is what stands at its place, in order, no larger than asked, and no word is lost",
  (method) => {
    fc.assert(
      fc.property(
        texts,
        sizes,
        fc.constantFrom("tokens" as const, "characters" as const),
        (text, size, unit) => {
          const chunks = cut(text, { method, unit, ...size });
          const seen = new Uint8Array(text.length);
          let last = -1;
          for (const chunk of chunks) {
            const { content, start, end, tokenCount, index, pageNumber, place } = chunk;
            expect(text.slice(start, end)).toBe(content);
            expect(content).not.toContain("\f");
            expect(tokenCount).toBe(countTokens(content));
            expect(unit === "tokens" ? tokenCount : content.length).toBeLessThanOrEqual(
              size.chunkSize,
            );
            const part = text.slice(0, start).split("\f").length;
            expect(place.part).toBe(part);
            expect(pageNumber).toBe(part);
            expect(start).toBeGreaterThanOrEqual(last);
            expect(chunks[index]?.start).toBe(start);
            last = start;
            seen.fill(1, start, end);
          }
          for (let at = 0; at < text.length; at += 1)
            if (/\S/.test(text.charAt(at))) expect([at, seen[at]]).toEqual([at, 1]);
        },
      ),
      { numRuns: 150 },
    );
  },
);

const plain = fc
  .array(fc.constantFrom("a", "bb", " ", "  ", "\n", "\n\n", "word", "é"), {
    maxLength: 200,
  })
  .map((parts) => parts.join(""));

test("lib_recursive in characters equals RecursiveCharacterTextSplitter", async () => {
  await fc.assert(
    fc.asyncProperty(
      plain,
      fc.integer({ min: 2, max: 100 }),
      fc.nat(),
      async (text, chunkSize, some) => {
        const chunkOverlap = some % chunkSize;
        const theirs = await new RecursiveCharacterTextSplitter({
          chunkSize,
          chunkOverlap,
        }).splitText(text);
        expect(contents(text, { chunkSize, chunkOverlap, unit: "characters" })).toEqual(
          theirs,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test("lib_text_splitter in characters equals CharacterTextSplitter if no paragraph is too large", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await fc.assert(
    fc.asyncProperty(
      plain,
      fc.integer({ min: 20, max: 100 }),
      fc.nat({ max: 19 }),
      async (given, chunkSize, chunkOverlap) => {
        const text = given.replace(/\n{3,}/g, "\n\n").replace(/^\n\n|\n\n$/g, "");
        fc.pre(text.split("\n\n").every((paragraph) => paragraph.length <= chunkSize));
        const theirs = await new CharacterTextSplitter({
          chunkSize,
          chunkOverlap,
        }).splitText(text);
        expect(
          contents(text, {
            method: "lib_text_splitter",
            chunkSize,
            chunkOverlap,
            unit: "characters",
          }),
        ).toEqual(theirs);
      },
    ),
    { numRuns: 300 },
  );
});

interface Golden {
  texts: string[];
  cases: {
    text: number;
    counter: "char" | "word";
    chunk_size: number;
    overlap: number | null;
    chunks: string[];
    offsets: [number, number][];
  }[];
}

test("semchunk equals the results of semchunk: every chunk and offset", () => {
  const golden = JSON.parse(
    readFileSync(new URL("./testing/semchunk-golden.json", import.meta.url), "utf8"),
  ) as Golden;
  expect(golden.cases.length).toBe(750);
  for (const {
    text: n,
    counter,
    chunk_size: chunkSize,
    overlap,
    chunks,
    offsets,
  } of golden.cases) {
    const text = golden.texts[n] ?? "";
    // Python counts code points, and splits at its own kinds of white space
    const codePoints = (start: number, end: number) => text.slice(start, end).length;
    const words = (start: number, end: number) =>
      // oxlint-disable-next-line no-control-regex
      text
        .slice(start, end)
        .split(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/)
        .filter(Boolean).length;
    const whole = { start: 0, end: text.length };
    const got = semchunk(
      text,
      whole,
      { chunkSize, chunkOverlap: overlap ?? 0 },
      counter === "char" ? codePoints : words,
    );
    expect(got.map(({ start, end }) => text.slice(start, end))).toEqual(chunks);
    expect(got.map(({ start, end }) => [codePoints(0, start), codePoints(0, end)])).toEqual(
      offsets,
    );
  }
});

test("fixed_size cuts windows of one size with the requested overlap, up to the end of the text", () => {
  expect(
    contents("abcdefghij", {
      method: "fixed_size",
      chunkSize: 4,
      chunkOverlap: 1,
      unit: "characters",
    }),
  ).toEqual(["abcd", "defg", "ghij"]);
  const chunks = cut("one two three four five six seven eight nine ten", {
    method: "fixed_size",
    chunkSize: 4,
    chunkOverlap: 1,
  });
  expect(chunks.map(({ content }) => content.trim())).toEqual([
    "one two three four",
    "four five six seven",
    "seven eight nine ten",
  ]);
  expect(
    contents("😀😀😀", { method: "fixed_size", chunkSize: 3, unit: "characters" }),
  ).toEqual(["😀", "😀", "😀"]);
});

test("a chunk has its page and sections, and code is not a section", () => {
  const text =
    "# Tea\n\nIntroduction.\n\n## Green **tea**\n\nSeventy degrees.\n\f```\n# not a heading\n```\n\nMore of it.\n\f# Coffee\n\nNine bars.";
  const chunks = cut(text, { chunkSize: 12 });
  const of = (words: string) => chunks.find(({ content }) => content.includes(words));
  expect(of("Introduction")).toMatchObject({ pageNumber: 1, headings: ["Tea"] });
  expect(of("Seventy")).toMatchObject({ pageNumber: 1, headings: ["Tea", "Green tea"] });
  expect(of("More of it")).toMatchObject({ pageNumber: 2, headings: ["Tea", "Green tea"] });
  expect(of("Nine bars")).toMatchObject({ pageNumber: 3, headings: ["Coffee"] });
  expect(
    cut("abc def", { pages: [0, 4], chunkSize: 50 }).map(({ content, pageNumber }) => [
      content,
      pageNumber,
    ]),
  ).toEqual([
    ["abc", 1],
    ["def", 2],
  ]);
});

const placesOf = (text: string, layout: TextLayout) =>
  cut(text, { chunkSize: 22, chunkOverlap: 0, layout }).map((chunk) => [
    chunk.content.split("\n")[0],
    statedPage(chunk),
    chunk.place,
  ]);

test("a text that does not say its pages has the sections of its words in their place", () => {
  const text =
    "Foreword.\n\n# Tea\n\n## Green\n\nSeventy degrees.\n\n## Black\n\nBoiling.\n\n# Milk\n\nCold.";
  const names = (chunkSize: number) =>
    cut(text, { chunkSize, layout: { kind: "none", parts: 1 } }).map((chunk) => [
      statedPage(chunk),
      chunk.place.kind,
      chunk.place.name,
    ]);
  expect(names(100)).toEqual([[null, "section", "…, Tea › Green, Black, Milk"]]);
  expect(names(12)).toEqual([
    [null, "section", null],
    [null, "section", "Tea › Green, Black"],
    [null, "section", "Milk"],
  ]);
  const many = Array.from({ length: 9 }, (_, at) => `# S${at}\n\nText.`).join("\n\n");
  expect(cut(many, { chunkSize: 200 })[0]?.place.name).toBe("S0, …, S8");
});

test("the layout gives rows their numbers in a sheet, or their pages", () => {
  const text = "## Prices\n\n| tea | price |\n| --- | --- |\n| green | 1 |\n| black | 2 |";
  const lines: TextLayout["lines"] = [
    [1, 2, 4],
    [1, 3, 0],
    [1, 4, 7],
    [1, 6, 0],
  ];
  const sheet = { kind: "sheet", part: 1, name: "Prices" };
  const sheets = { kind: "sheets" as const, parts: 1, names: ["Prices"], lines };
  expect(placesOf(text, sheets)).toEqual([
    ["## Prices", null, sheet],
    ["| tea | price |", null, { ...sheet, rows: { first: 4, last: 8 } }],
  ]);
  const pages = { kind: "pages" as const, parts: 1 };
  const later: TextLayout["lines"] = [[1, 2, 2]];
  expect(placesOf(text, { ...pages, lines: later }).map(([, page]) => page)).toEqual([
    1, 2,
  ]);
});

test("a slide or named chapter without a heading is not in the section before it", () => {
  const text = "# One\n\nTea.\f\nCoffee.\f\nMilk.";
  expect(placesOf(text, { kind: "slides", parts: 3 })).toEqual([
    ["# One", 1, { kind: "slide", part: 1, name: "One" }],
    ["Coffee.", 2, { kind: "slide", part: 2, name: null }],
    ["Milk.", 3, { kind: "slide", part: 3, name: null }],
  ]);
  const names = ["One", "Two", ""];
  expect(placesOf(text, { kind: "chapters", parts: 3, names })).toEqual([
    ["# One", null, { kind: "chapter", part: 1, name: "One" }],
    ["Coffee.", null, { kind: "chapter", part: 2, name: "Two" }],
    ["Milk.", null, { kind: "chapter", part: 3, name: "Two" }],
  ]);
});

test("an attached file has its name in place of a page of the outer file", () => {
  const text = "# Letter\n\nDear Ada.\f# plan.pdf\n\nStep one.";
  expect(placesOf(text, { kind: "pages", parts: 1 })).toEqual([
    ["# Letter", 1, { kind: "page", part: 1, name: "Letter" }],
    ["# plan.pdf", null, { kind: "section", part: 2, name: "plan.pdf" }],
  ]);
});

test("a heading at the top of a page starts a section, however the previous page ends", () => {
  const text =
    "# Tea\n\nSeventy degrees.\f# Coffee\n\nNine bars.\f## Milk\n\nFrothed.\fMore of it.";
  const of = (words: string) =>
    cut(text, { chunkSize: 6 }).find(({ content }) => content.includes(words));
  expect(of("Seventy")).toMatchObject({ pageNumber: 1, headings: ["Tea"] });
  expect(of("Nine bars")).toMatchObject({ pageNumber: 2, headings: ["Coffee"] });
  expect(of("Frothed")).toMatchObject({ pageNumber: 3, headings: ["Coffee", "Milk"] });
  expect(of("More of it")).toMatchObject({ pageNumber: 4, headings: ["Coffee", "Milk"] });
});

test("cuts runs of white space that all differ in length in linear time", () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => "\n".repeat(n) + "word").join("");
  const spaces = Array.from(
    { length: 1_000 },
    (_, n) => " ".repeat(1_000 - n) + "word",
  ).join("");
  for (const text of [lines, spaces])
    expect(
      cut(text, { method: "semchunk", chunkSize: 512 }).reduce(
        (words, { content }) => words + content.split("word").length - 1,
        0,
      ),
    ).toBe(1_000);
});

test.each([["\n"], ["a"], ["."], [" "], ["a\n"], ["ab"]])(
  "half a million characters of %j are cut by every method",
  (part) => {
    const text = part.repeat(500_000 / part.length);
    for (const method of CHUNKING_METHODS)
      for (const { tokenCount } of cut(text, {
        method,
        chunkSize: 512,
        chunkOverlap: method === "semchunk" ? 0 : 64,
      }))
        expect(tokenCount).toBeLessThanOrEqual(512);
  },
);

test.each(CHUNKING_METHODS)("%s refuses to repeat a text too often", (method) => {
  const text = "ab ".repeat(20_000);
  const repeating = { method, unit: "characters" as const, chunkSize: 3_000 };
  const [often, seldom] = [{ chunkOverlap: 2_990 }, { chunkOverlap: 1_500 }];
  expect(() => cut(text, { ...repeating, ...often })).toThrow(CutTooLarge);
  const total = contents(text, { ...repeating, ...seldom }).join("").length;
  expect(total).toBeLessThan(MAX_REPETITIONS * text.length);
});

test("refuses more chunks than can be answered", () => {
  const options = { method: "fixed_size", unit: "characters", chunkSize: 1 } as const;
  expect(cut("a".repeat(100), { ...options, maxChunks: 100 })).toHaveLength(100);
  const more = () => cut("a".repeat(101), { ...options, maxChunks: 100 });
  expect(more).toThrow(CutTooLarge);
});

test.each(CHUNKING_METHODS)(
  "%s cuts a text into hundreds of thousands of chunks",
  (method) => {
    const text = "Some short words here.\n\n".repeat(200_000);
    expect(cut(text, { method, chunkSize: 8 }).length).toBeGreaterThan(120_000);
  },
);
