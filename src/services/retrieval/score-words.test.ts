import { expect, test } from "vitest";
import type { QuestionWords } from "./question-words.ts";
import { CHUNK_BM25, scoreMatch, type TextMatch } from "./score-words.ts";

function aQuestion(...lexemes: (string | string[])[]): QuestionWords {
  const words = lexemes.map((one) => ({ lexemes: [one].flat(), count: 3, weight: 2 }));
  return { words, chunks: 100, averageLength: 50, averageChunks: 4 };
}

function aMatch(positions: Record<string, number[]>, length = 50): TextMatch {
  return { id: "chunk", setId: "set", length, positions };
}

test("a single word is scored by BM25", () => {
  const [k1, b, times, length] = [CHUNK_BM25.k1, CHUNK_BM25.b, 3, 80];
  const expected = (2 * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / 50));
  const match = aMatch({ boat: [21, 25, 29] }, length);
  expect(scoreMatch(aQuestion("boat"), match, 0)).toBeCloseTo(expected, 10);
});

test("a word in the headings, which come first, counts more than one further down", () => {
  const question = aQuestion("boat");
  const inHeading = scoreMatch(question, aMatch({ boat: [2] }), 0);
  expect(inHeading).toBeGreaterThan(scoreMatch(question, aMatch({ boat: [30] }), 0));
  expect(inHeading).toBe(scoreMatch(question, aMatch({ boat: [30, 34] }), 0));
});

test("counts a word once, in its form in the language of the chunk", () => {
  const question = aQuestion(["set", "setting"]);
  const inOneForm = scoreMatch(question, aMatch({ setting: [1, 2] }), 0);
  expect(scoreMatch(question, aMatch({ set: [1], setting: [1, 2] }), 0)).toBe(inOneForm);
});

test("two words count for more than one of them twice", () => {
  const question = aQuestion("boat", "harbour");
  const both = scoreMatch(question, aMatch({ boat: [1], harbour: [40] }), 0);
  expect(both).toBeGreaterThan(scoreMatch(question, aMatch({ boat: [1, 40] }), 0));
});

test("neighbouring words of the question count more if they are close in the chunk", () => {
  const question = aQuestion("boat", "harbour");
  const [beside, near, far] = [2, 5, 30].map((place) =>
    scoreMatch(question, aMatch({ boat: [1], harbour: [place] }), 0),
  );
  expect(beside).toBeGreaterThan(near ?? 0);
  expect(near).toBeGreaterThan(far ?? 0);
});

test("a document that matches raises its chunks that have a word of the question", () => {
  const question = aQuestion("boat");
  const alone = scoreMatch(question, aMatch({ boat: [1] }), 0);
  expect(scoreMatch(question, aMatch({ boat: [1] }), 4)).toBeGreaterThan(alone);
  expect(scoreMatch(question, aMatch({}), 4)).toBe(0);
  expect(scoreMatch(question, { ...aMatch({}), positions: null }, 4)).toBe(0);
});

test("treats names of object properties as ordinary words", () => {
  const question = aQuestion("constructor", "boat");
  expect(scoreMatch(question, aMatch({}), 0)).toBe(0);
  const score = scoreMatch(question, aMatch({ constructor: [3] }), 0);
  expect(score).toBe(scoreMatch(aQuestion("harbour", "boat"), aMatch({ harbour: [3] }), 0));
});

test("another name of a figure counts more among numbers, and in the title of a statement", () => {
  const name = [
    { lexeme: "total", behind: 0 },
    { lexeme: "asset", behind: 1 },
  ];
  const word = { lexemes: [], phrases: [name], isFigure: true, count: 3, weight: 2 };
  const question = { words: [word], chunks: 100, averageLength: 50, averageChunks: 4 };
  const at = (first: number, numbers: number) =>
    scoreMatch(question, { ...aMatch({ total: [first], asset: [first + 1] }), numbers }, 0);
  expect(at(30, 0.5)).toBeGreaterThan(at(30, 0.1));
  expect(at(12, 0.1)).toBeGreaterThan(at(30, 0.1));
  expect(scoreMatch(question, aMatch({ total: [5], asset: [9] }), 0)).toBe(0);
  const prose = { ...question, words: [{ ...word, isFigure: false }] };
  const match = { ...aMatch({ total: [30], asset: [31] }), numbers: 0.5 };
  expect(scoreMatch(prose, match, 0)).toBe(at(30, 0));
});
