import { expect, test } from "vitest";
import { quoteOf } from "./quote-of.ts";

const SOURCE = `# Offers for heating

## Ground source

Six probes cost € 412,000. Two air-source units cost **€ 264,000**, and need more electricity.`;

test("shows the sentence that the answer rests on, without marks and headings", () => {
  expect(quoteOf(SOURCE, "Air-source units cost € 264,000 for two.")).toBe(
    "Two air-source units cost € 264,000, and need more electricity.",
  );
});

test("shows the beginning below the headings, where no sentence fits or none is known", () => {
  for (const said of [undefined, "Nothing of this is there at all, or nearly."])
    expect(quoteOf(SOURCE, said)).toMatch(/^Six probes cost/);
  expect(quoteOf("# Only a heading", undefined)).toBe("Only a heading");
});
