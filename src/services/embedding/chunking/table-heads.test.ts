import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { CHUNKING_METHODS } from "../contract-jobs.ts";
import { type CountPiece, loadByteRanks, pieceCounter } from "./byte-pairs.ts";
import { type CutOptions, cutText } from "./cut-text.ts";
import { tokenRuler } from "./ruler.ts";
import { findTextTables } from "./table-heads.ts";

let countPiece: CountPiece;
beforeAll(async () => {
  countPiece = pieceCounter(await loadByteRanks());
});
const cut = (text: string, options: Partial<CutOptions> = {}) =>
  cutText(
    text,
    {
      method: "lib_recursive",
      chunkSize: 60,
      chunkOverlap: 5,
      unit: "tokens",
      tableHeads: true,
      ...options,
    },
    countPiece,
  );

const HEAD = "| Article | Net price | Stock |\n| --- | ---: | :--- |";
const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `| A-${from + at} | ${at * 3},50 | ${at % 7} |`);
const tableOf = (count: number) => [HEAD, ...rowsOf(count)].join("\n");

test.each(CHUNKING_METHODS)(
  "%s: each chunk of a long table names its columns",
  (method) => {
    const text = `# Prices\n\nWhat follows is a list.\n\n${tableOf(60)}\n\nThe end of it.`;
    const chunks = cut(text, { method, chunkOverlap: method === "semchunk" ? 0 : 5 });
    const rows = chunks.filter(({ content }) => content.includes("| A-"));
    expect(rows.length).toBeGreaterThan(5);
    for (const { content } of rows) expect(content.startsWith(`${HEAD}\n`)).toBe(true);
    for (const row of rowsOf(60))
      if (method !== "fixed_size")
        expect(chunks.some(({ content }) => content.includes(row))).toBe(true);
  },
);

test("positions are those of the rows, and chunks keep to their size", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 30, max: 120 }),
      fc.constantFrom(...CHUNKING_METHODS),
      fc.constantFrom("tokens" as const, "characters" as const),
      fc.constantFrom("", "Before it.\n\n", "# A\n\n"),
      fc.constantFrom("", "\n\nAfter it.", "\fNext page"),
      (count, size, method, unit, before, after) => {
        const text = before + tableOf(count) + after;
        const chunkSize = unit === "tokens" ? size : size * 4;
        const chunks = cut(text, { method, unit, chunkSize });
        const covered = new Set<number>();
        for (const { content, start, end, tokenCount } of chunks) {
          const own = text.slice(start, end);
          expect([own, `${HEAD}\n${own}`]).toContain(content);
          const tokens = tokenRuler(content, countPiece).size(0, content.length);
          expect(tokenCount).toBe(tokens);
          expect(unit === "tokens" ? tokens : content.length).toBeLessThanOrEqual(
            chunkSize,
          );
          for (let at = start; at < end; at += 1) covered.add(at);
        }
        for (const [at, character] of [...text].entries())
          if (/\S/.test(character)) expect(covered.has(at)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test("a table that goes on at the next page keeps the header of its first page", () => {
  const next = ["| A-90 | 1,50 | 3 |", "| --- | --- | --- |", ...rowsOf(40, 91)].join("\n");
  const chunks = cut(`${tableOf(30)}\f${next}`);
  for (const { content } of chunks) expect(content.startsWith(HEAD)).toBe(true);
  const other = next.replace("| A-90 | 1,50 | 3 |", "| Place | Rent | Area |");
  const last = cut(`${tableOf(30)}\f${other}`).at(-1);
  expect(last?.content.startsWith("| Place | Rent | Area |")).toBe(true);
});

test("a header that leaves no room for rows is not repeated, and small tables stay with their text", () => {
  const wide = `| ${"long name ".repeat(30)} | b |\n| --- | --- |\n${"| 1 | 2 |\n".repeat(40)}`;
  for (const { content, start, end } of cut(wide))
    expect(content).toBe(wide.slice(start, end));
  const small = `Before.\n\n${tableOf(2)}\n\nAfter.`;
  expect(cut(small, { chunkSize: 200 }).map(({ content }) => content)).toEqual([small]);
});

test("without the option, chunks are parts of the text", () => {
  const text = tableOf(60);
  for (const { content, start, end } of cut(text, { tableHeads: false }))
    expect(content).toBe(text.slice(start, end));
});

test.each([
  ["without bars at the ends of its rows", "", (row: string) => row.slice(2, -2)],
  ["in a list", "  ", (row: string) => row],
  ["in a quotation", "> ", (row: string) => row],
  ["in a quotation, without bars at the ends", "> ", (row: string) => row.slice(2, -2)],
])("each chunk of a table %s names its columns", (_, prefix, write) => {
  const lines = [HEAD, ...rowsOf(60)].join("\n").split("\n");
  const table = lines.map((line) => prefix + write(line)).join("\n");
  const text = `Before it.\n\n${table}\n\nAfter it | and so on.`;
  for (const method of CHUNKING_METHODS) {
    const chunks = cut(text, { method, chunkOverlap: 0 });
    const rows = chunks.filter(({ content }) => content.includes("A-"));
    expect(rows.length).toBeGreaterThan(5);
    for (const { content } of rows) expect(content).toContain("Article | Net price");
    expect(chunks.at(-1)?.content).toContain("After it");
  }
});

test("lines with bars that are no table are none", () => {
  for (const text of [
    "| a | b |",
    "| a |\n| b |\n",
    "a | b\n- | b",
    "a\n---\nb | c",
    "x\n| a |\f| --- |",
    "|",
    "",
  ])
    expect(findTextTables(text)).toEqual([]);
});
