import { globSync, readFileSync } from "node:fs";
import { analyse } from "scslre";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { held } from "../support/held.ts";

/**
 * Looks for regular expressions whose time grows faster than the text, in all code that the server
 * and the web app run themselves: a megabyte of what they search would hold everybody up. Readers
 * of files run in processes that end with their budget.
 */
const CODE = ["src/**/*.ts", "web/src/**/*.{ts,tsx}"];
const SHARED = "packages/to-markdown/src/count-characters.ts";
const isOfTests = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);

interface Expression {
  source: string;
  flags: string;
  at: string;
}

function expressionsIn(file: string): Expression[] {
  const text = readFileSync(file, "utf8");
  const found: Expression[] = [];
  JSON.stringify(
    parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }),
    (_, node: unknown) => {
      if (isLiteral(node)) {
        const { pattern: source, flags } = node.regex;
        found.push({ source, flags, at: `${file}: /${source}/${flags}` });
      }
      return node;
    },
  );
  return found;
}

interface Literal {
  regex: { pattern: string; flags: string };
}

const isLiteral = (node: unknown): node is Literal =>
  typeof node === "object" && node !== null && "regex" in node;

/** Of repeated parts: one after another, within each other, or begun at each character. */
const ALL = { Trade: true, Self: true, Move: true };

const isSlow = (expression: Pick<Expression, "source" | "flags">) =>
  analyse(expression, { reportTypes: ALL }).reports.length > 0;

test("the time of no regular expression grows faster than the text", () => {
  const files = [...globSync(CODE).filter((file) => !isOfTests(file)), SHARED];
  const expressions = files.flatMap(expressionsIn);
  expect(expressions.length).toBeGreaterThan(250);
  expect(expressions.filter(isSlow).map(({ at }) => at)).toEqual([]);
  held("pattern-matching", expressions.length);
});

test.each([
  [/\s+$/, /(?<!\s)\s+$/],
  [/(?:a+)+b/, /(?<!a)a+b/],
  [/a*a*b/, /(?<!a)a*b/],
  [/(?<=(?:^|[^\\])(?:\\\\)*)\\u/, /(?<!\\)(?:\\\\)*\\u/],
])("%s is slow, %s is not", (slow, fast) => {
  expect(isSlow(slow)).toBe(true);
  expect(isSlow(fast)).toBe(false);
});
