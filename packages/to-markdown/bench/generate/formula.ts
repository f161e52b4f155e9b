import type { Random } from "./random.ts";

/** A formula: a letter, number or sign, or parts in their places. */
export type Formula =
  | string
  | { type: "row"; parts: Formula[] }
  | { type: "fraction"; above: Formula; below: Formula }
  | { type: "script"; base: string; place: "raised" | "lowered"; script: string }
  | { type: "root"; of: Formula }
  | { type: "sum"; from: Formula; to: string };

const LETTERS = ["a", "b", "c", "m", "x", "y", "z", "α", "β", "λ", "2", "7", "15"] as const;
const INDEXES = ["i", "j", "k", "n"] as const;
const RELATIONS = ["=", "<", ">", "≤"] as const;
const row = (...parts: Formula[]): Formula => ({ type: "row", parts });

/** Generates a relation between a letter and up to three terms. */
export function makeFormula(random: Random, onItsOwn: boolean): Formula {
  const left = termOf(random, ["script"]);
  const kinds = onItsOwn ? TERMS : TERMS.filter((kind) => kind !== "sum");
  const parts: Formula[] = [left, random.pick(RELATIONS), termOf(random, kinds)];
  for (let more = random.whole(0, 2); more > 0; more -= 1)
    parts.push(random.pick(["+", "−"]), termOf(random, kinds));
  return row(...parts);
}

const TERMS = ["letter", "script", "fraction", "root", "sum"] as const;

function termOf(random: Random, kinds: readonly (typeof TERMS)[number][]): Formula {
  const letter = () => random.pick(LETTERS);
  const index = random.pick(INDEXES);
  const pair = () => row(letter(), random.pick(["+", "−"]), letter());
  const script = (): Formula =>
    random.chance(0.5)
      ? { type: "script", base: letter(), place: "raised", script: random.pick(["2", "3"]) }
      : { type: "script", base: letter(), place: "lowered", script: index };
  switch (random.pick(kinds)) {
    case "letter":
      return letter();
    case "script":
      return script();
    case "fraction":
      return { type: "fraction", above: pair(), below: letter() };
    case "root":
      return { type: "root", of: pair() };
    case "sum":
      return row({ type: "sum", from: row(index, "=", "1"), to: "n" }, script());
  }
}

const TEX: Record<string, string> = {
  α: "\\alpha",
  β: "\\beta",
  λ: "\\lambda",
  "≤": "\\leq",
  "−": "-",
};

export function texFormula(formula: Formula): string {
  if (typeof formula === "string") return TEX[formula] ?? formula;
  switch (formula.type) {
    case "row":
      return formula.parts.map(texFormula).join(" ");
    case "fraction":
      return `\\frac{${texFormula(formula.above)}}{${texFormula(formula.below)}}`;
    case "script":
      return `${texFormula(formula.base)}${MARKS[formula.place]}{${formula.script}}`;
    case "root":
      return `\\sqrt{${texFormula(formula.of)}}`;
    case "sum":
      return `\\sum_{${texFormula(formula.from)}}^{${formula.to}}`;
  }
}

const MARKS = { raised: "^", lowered: "_" };

export function typstFormula(formula: Formula): string {
  if (typeof formula === "string") return formula;
  switch (formula.type) {
    case "row":
      return formula.parts.map(typstFormula).join(" ");
    case "fraction":
      return `(${typstFormula(formula.above)})/(${typstFormula(formula.below)})`;
    case "script":
      return `${formula.base}${MARKS[formula.place]}(${formula.script})`;
    case "root":
      return `sqrt(${typstFormula(formula.of)})`;
    case "sum":
      return `sum_(${typstFormula(formula.from)})^(${formula.to})`;
  }
}

/**
 * What a text of a formula must have: its letters, digits and signs as one reads them, a fraction
 * from above to below, a script after its base, the limits of a sum from below to above. Sums and
 * bars of fractions are left out: TeX's fonts encode the sign of a sum as an X, and bars are drawn.
 */
export function lettersOf(formula: Formula): string {
  if (typeof formula === "string") return formula;
  switch (formula.type) {
    case "row":
      return formula.parts.map(lettersOf).join(" ");
    case "fraction":
      return `${lettersOf(formula.above)} ${lettersOf(formula.below)}`;
    case "script":
      return `${formula.base}${formula.script}`;
    case "root":
      return `√ ${lettersOf(formula.of)}`;
    case "sum":
      return `${lettersOf(formula.from)} ${formula.to}`;
  }
}
