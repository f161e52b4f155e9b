import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "..");

/** Words with another one in their place on every German page. */
const UNUSED: readonly [RegExp, string][] = [
  [/\bFlows?\b/, "Ablauf"],
  [/Berechtigung/, "Recht"],
  [/\b(?:Tool|MCP|Werkzeug)-Server|\bToolserver/, "Werkzeugserver"],
  [/\bProvider\b/, "Anbieter"],
  [/\bTokens\b/, "Token"],
  [/\bHeaders?\b/, "Kopfzeile"],
];

test("one thing has one German word on all pages", () => {
  const texts = globSync("**/*{texts,.de}*.ts", { cwd: SOURCE }).filter(
    (file) => !file.includes(".test.") && !file.includes(".en."),
  );
  const strings = texts.flatMap(germanStrings);
  expect(strings.length).toBeGreaterThan(1_500);
  for (const [word, instead] of UNUSED)
    expect({ instead, found: strings.filter((text) => word.test(text)) }).toEqual({
      instead,
      found: [],
    });
});

/** The quoted texts of a file from where its German ones begin. */
function germanStrings(file: string): string[] {
  const source = readFileSync(join(SOURCE, file), "utf8");
  const start = file.includes(".de.") ? 0 : source.search(/^(?:export )?const de\b/m);
  if (start < 0) return [];
  return source.slice(start).match(/"[^"\n]*"|`[^`]*`/g) ?? [];
}
