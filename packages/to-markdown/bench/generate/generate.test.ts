import { expect, test } from "vitest";
import { KINDS } from "./document.ts";
import { makeDocument } from "./make-document.ts";
import { OFFICE_WRITERS } from "./office-writers.ts";
import { truthOf } from "./truth.ts";
import { WRITERS } from "./writers.ts";

test("a name always gives the same document, and another name another one", () => {
  for (const kind of KINDS) {
    expect(makeDocument("one", kind)).toEqual(makeDocument("one", kind));
    expect(makeDocument("one", kind)).not.toEqual(makeDocument("two", kind));
  }
});

test("rows of a truth have as many cells, merged ones in the first place or in all", () => {
  const cell = (text: string, across = 1, down = 1) => ({ text, across, down });
  const { look } = makeDocument("one", "ruled-tables");
  const table = {
    headRows: 1,
    columns: 3,
    numbers: [false, false, false],
    look: "grid" as const,
    rows: [
      [cell("a"), cell("b", 2)],
      [cell("c", 1, 2), cell("1"), cell("2")],
      [cell("3"), cell("4")],
    ],
  };
  const document = {
    name: "one",
    kind: "ruled-tables" as const,
    language: "en" as const,
    blocks: [{ type: "table" as const, table }],
    look,
  };
  expect(truthOf(document, false)).toBe(
    "| a | b |  |\n| --- | --- | --- |\n| c | 1 | 2 |\n|  | 3 | 4 |\n",
  );
  expect(truthOf(document, true)).toBe(
    "| a | b | b |\n| --- | --- | --- |\n| c | 1 | 2 |\n| c | 3 | 4 |\n",
  );
});

test("every writer makes a source that holds each heading of a document", () => {
  for (const writer of WRITERS) {
    const document = makeDocument("one", "headings", ["en"]);
    const source = writer.source(document);
    for (const block of document.blocks)
      if (block.type === "heading") expect(source).toContain(block.text);
  }
});

test("every writer of Office files makes a source, and its truth holds what the format holds", async () => {
  for (const writer of OFFICE_WRITERS) {
    for (const kind of writer.only ?? []) {
      const whole = makeDocument("one", kind, ["en"]);
      const document = writer.holds?.(whole) ?? whole;
      expect((await writer.source(document)).length).toBeGreaterThan(100);
      expect(truthOf(document, false)).not.toBe("\n");
    }
  }
});
