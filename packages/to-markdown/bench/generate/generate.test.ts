import { expect, test } from "vitest";
import { openArchive } from "../../src/formats/archive.ts";
import {
  KINDS,
  type SourceBlock,
  type SourceCell,
  type SourceDocument,
  type SourceTable,
} from "./document.ts";
import { texFormula, typstFormula } from "./formula.ts";
import { makeDocument } from "./make-document.ts";
import { OFFICE_WRITERS } from "./office-writers.ts";
import { truthOf } from "./truth.ts";
import { writeDocx } from "./write-docx.ts";
import { WRITERS } from "./writers.ts";

const cell = (text: string, across = 1, down = 1) => ({ text, across, down });
const tableOf = (columns: number, rows: SourceCell[][]): SourceTable => ({
  headRows: 1,
  columns,
  numbers: Array.from({ length: columns }, () => false),
  look: "grid",
  rows,
});
const documentOf = (block: SourceBlock): SourceDocument => ({
  ...makeDocument("one", "ruled-tables"),
  blocks: [block],
});

test("a name always gives the same document, and another name another one", () => {
  for (const kind of KINDS) {
    expect(makeDocument("one", kind)).toEqual(makeDocument("one", kind));
    expect(makeDocument("one", kind)).not.toEqual(makeDocument("two", kind));
  }
});

test("rows of a truth have as many cells, merged ones in the first place or in all", () => {
  const table = tableOf(3, [
    [cell("a"), cell("b", 2)],
    [cell("c", 1, 2), cell("1"), cell("2")],
    [cell("3"), cell("4")],
  ]);
  const document = documentOf({ type: "table", table });
  expect(truthOf(document, false)).toBe(
    "| a | b |  |\n| --- | --- | --- |\n| c | 1 | 2 |\n|  | 3 | 4 |\n",
  );
  expect(truthOf(document, true)).toBe(
    "| a | b | b |\n| --- | --- | --- |\n| c | 1 | 2 |\n| c | 3 | 4 |\n",
  );
});

test("a truth has the letters of a formula in order, within their text", () => {
  const formula = {
    type: "row" as const,
    parts: [
      { type: "script" as const, base: "y", place: "raised" as const, script: "2" },
      "=",
      { type: "fraction" as const, above: "a", below: "b" },
      "+",
      { type: "sum" as const, from: "n", to: "k" },
      { type: "root" as const, of: "c" },
    ],
  };
  const within = { before: "Here", after: "is small." };
  expect(truthOf(documentOf({ type: "formula", formula, within }), false)).toBe(
    "Here y2 = a b + n k √ c is small.\n",
  );
  expect(texFormula(formula)).toBe("y^{2} = \\frac{a}{b} + \\sum_{n}^{k} \\sqrt{c}");
  expect(typstFormula(formula)).toBe("y^(2) = (a)/(b) + sum_(n)^(k) sqrt(c)");
});

test("a table in a cell is text of that cell in the truth", () => {
  const inner = tableOf(2, [
    [cell("old"), cell("new")],
    [cell("1"), cell("2")],
  ]);
  const table = tableOf(2, [
    [cell("Town"), cell("Towers")],
    [cell("Kiel"), { ...cell("Two:"), table: inner }],
  ]);
  expect(truthOf(documentOf({ type: "table", table }), false)).toBe(
    "| Town | Towers |\n| --- | --- |\n| Kiel | Two: old new 1 2 |\n",
  );
});

test("every writer makes a source of each of its kinds, with all headings", async () => {
  for (const writer of WRITERS) {
    for (const kind of KINDS) {
      if (writer.without?.includes(kind)) continue;
      const document = makeDocument("one", kind, writer.languages);
      const source = await textOf(await writer.source(document));
      expect(source.length, `${writer.name} ${kind}`).toBeGreaterThan(100);
      for (const block of document.blocks)
        if (block.type === "heading") expect(source).toContain(block.text);
    }
  }
});

test("a Word file has notes, nested tables and its look", async () => {
  const { look } = makeDocument("one", "notes");
  const noted = makeDocument("one", "notes", ["en"]);
  const notes = noted.blocks.flatMap((block) =>
    block.type === "notes" ? block.notes : [],
  );
  expect(notes).toHaveLength(2);
  const source = await textOf(await writeDocx(noted));
  for (const note of notes) expect(source).toContain(note);
  expect(source.match(/<w:footnoteReference /g)).toHaveLength(2);
  expect(source).toContain(`w:ascii="${look.font}"`);
  const nested = await textOf(
    await writeDocx(makeDocument("one", "nested-tables", ["en"])),
  );
  expect(nested).toMatch(/<w:tc>(?:(?!<\/w:tc>).)*<w:tbl>/s);
});

/** A source as text; of a Word file, all of its parts. */
async function textOf(source: string | Uint8Array): Promise<string> {
  if (typeof source === "string") return source;
  const archive = await openArchive(source);
  const parts = archive.names.filter((name) => name.endsWith(".xml"));
  return (await Promise.all(parts.map((name) => archive.whole(name)))).join("\n");
}

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
