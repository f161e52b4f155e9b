import fc from "fast-check";
import { expect, test } from "vitest";
import { CitationCheck, checkCitations, citedIn } from "./check-citations.ts";

const upTo = (most: number) => (index: number) => index >= 1 && index <= most;

test("removes citations of missing passages, keeps others, and leaves code alone", () => {
  expect(
    checkCitations("It is so [1]. It is not [7]. Both [2, 9] of them[3].", upTo(3)),
  ).toBe("It is so [1]. It is not. Both [2] of them[3].");
  expect(checkCitations("`list[7]` and\n```\nrow[9] = [12]\n```\nbut [8].", upTo(1))).toBe(
    "`list[7]` and\n```\nrow[9] = [12]\n```\nbut.",
  );
  expect(
    checkCitations(
      "A [link](https://a.example) and [7](https://b.example), [a] and [].",
      upTo(1),
    ),
  ).toBe("A [link](https://a.example) and [7](https://b.example), [a] and [].");
  expect([...citedIn("one [1], two [2; 4], `[5]`")]).toEqual([1, 2, 4]);
  expect([...citedIn("all [1-3], [5–6]; the years [1990-2020], [4-2]")]).toEqual([
    1, 2, 3, 5, 6,
  ]);
  expect(checkCitations("So [1-4]. Not [8-9]. In [1990-2020].", upTo(3))).toBe(
    "So [1, 2, 3]. Not. In [1990-2020].",
  );
});

test("leaves no dash and no comma where the other citation is missing", () => {
  const cases = {
    "So [1]–[3]. Not [1], [2].": "So [1]–[3]. Not [1], [2].",
    "So [1]–[9].": "So [1, 2, 3].",
    "So [2] - [40], and so on.": "So [2], and so on.",
    "So [7]–[9]. Not [8]; [9].": "So. Not.",
    "So [1], [9]. Not [9], [2].": "So [1]. Not [2].",
    "So [1], [7]–[9]; [3].": "So [1]; [3].",
    "The year [1] – a good one.": "The year [1] – a good one.",
    "Years [1990-2020], [9].": "Years [1990-2020].",
  };
  for (const [text, expected] of Object.entries(cases))
    expect(checkCitations(text, upTo(3))).toBe(expected);
  expect([...citedIn("[1]–[3], [5] - [6]")]).toEqual([1, 2, 3, 5, 6]);
});

test("checks a text the same way with any chunk boundaries", () => {
  const piece = fc.constantFrom(
    "[1]",
    "[7]",
    " [2, 9]",
    "[",
    "]",
    "`",
    "```",
    " ",
    "a",
    "(b)",
    "\n",
    "[ 3 ;4]",
    "[2-3]",
    "[3–9]",
    "[[8]]",
    "x [99]",
    "–",
    ", ",
    " - ",
    "[2]–[9]",
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.array(fc.nat(80), { maxLength: 10 }), (whole, cuts) => {
      const check = new CitationCheck(upTo(4));
      let shown = "";
      let from = 0;
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        shown += check.add(whole.slice(from, Math.max(from, cut)));
        from = Math.max(from, cut);
      }
      shown += check.add(whole.slice(from)) + check.end();
      expect(shown).toBe(checkCitations(whole, upTo(4)));
      for (const index of citedIn(shown)) expect(index).toBeLessThanOrEqual(4);
    }),
    { numRuns: 2_000 },
  );
});

test("holds back no more text than a citation is long", () => {
  const check = new CitationCheck(upTo(1));
  expect(check.add("plain words")).toBe("plain words");
  expect(check.add(` [${"1,".repeat(100)}`).length).toBeGreaterThan(100);
});
