import fc from "fast-check";
import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { pdfToMarkdown } from "./pdf-to-markdown.ts";

interface Piece {
  text: string;
  x: number;
  y: number;
  size?: number;
  turned?: boolean;
}

/** An A4 file of one page for each list of pieces. */
function aPdf(pages: readonly (readonly Piece[])[]): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: "A4", margin: 0, autoFirstPage: false });
    const parts: Uint8Array[] = [];
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(parts))));
    document.on("error", reject);
    for (const pieces of pages) {
      document.addPage().font("Helvetica");
      for (const { text, x, y, size = 10, turned } of pieces) {
        document.fontSize(size);
        if (turned) document.save().rotate(-90, { origin: [x, y] });
        document.text(text, x, y, { lineBreak: false });
        if (turned) document.restore();
      }
    }
    document.end();
  });
}

const BODY = "The river had been low all summer and nobody could remember such a year.";
const body = { text: BODY, x: 60, y: 400 };
const foot = (text: string, x = 60): Piece => ({ text, x, y: 800 });
const head = (text: string, x = 60): Piece => ({ text, x, y: 40 });

const read = async (pages: readonly (readonly Piece[])[]) =>
  pdfToMarkdown(await aPdf(pages));
/** The text of each page without its body. */
async function keptOf(pages: readonly (readonly Piece[])[]): Promise<string[]> {
  const { markdown } = await read(pages.map((page) => [body, ...page]));
  return markdown
    .split("\f")
    .map((text) => text.replace(BODY, "").replace(/\s+/g, " ").trim());
}
const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));

const CITIES = ["Bremen", "Cork", "Lyon", "Oslo", "Porto", "Riga", "Turin", "Vienna"];
const KINDS = [
  ["Payslip no.", "Employee:", "Net pay:", "Department:"],
  ["Invoice", "Customer no.", "Total due:", "Ship to:"],
  ["Account", "Statement", "Closing balance:", "Branch:"],
  ["Form", "Applicant", "Score:", "Decision:"],
  ["Minutes of session", "Chair", "Votes in favour:", "Adopted in"],
];
const aValue = fc.oneof(
  fc.integer({ min: 1, max: 99_999 }).map(String),
  fc
    .tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 10, max: 99 }))
    .map(([whole, part]) => `${whole},${part} EUR`),
  fc.constantFrom(...CITIES),
);
/** A set of one page a person, with labels and values at the same places of all pages. */
const aSet = fc.record({
  kind: fc.constantFrom(...KINDS),
  from: fc.integer({ min: 1, max: 5_000 }),
  apart: fc.boolean(),
  rows: fc.array(fc.tuple(aValue, aValue, aValue), { minLength: 1, maxLength: 6 }),
});

test("no value of payslips, invoices, statements, forms and minutes is lost", async () => {
  await fc.assert(
    fc.asyncProperty(aSet, async ({ kind, from, apart, rows }) => {
      const pages = rows.map((row, at) => {
        const values = [String(from + at), ...row];
        const places = [40, 60, 790, 810];
        return values.flatMap((value, n): Piece[] => {
          const y = places[n] ?? 0;
          const label = kind[n] ?? "";
          return apart
            ? [
                { text: label, x: 60, y },
                { text: value, x: 170, y },
              ]
            : [{ text: `${label} ${value}`, x: 60, y }];
        });
      });
      const { markdown, furniture = [] } = await read(pages.map((page) => [body, ...page]));
      const texts = markdown.split("\f");
      for (const [at, row] of rows.entries()) {
        for (const [n, value] of [String(from + at), ...row].entries()) {
          // what all pages share is on the first that shows it, or named beside
          const shared = n > 0 && rows.every((other) => other[n - 1] === value);
          const beside = [...texts, ...furniture.map(({ text }) => text)].join("\n");
          expect(shared && rows.length > 1 ? beside : texts[at]).toContain(value);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("what has the same words at the same place of every page is left out, and named", async () => {
  const pages = times(4, (at) => [
    body,
    head("Acme Ltd – Handbook"),
    foot(`Page ${at + 1} of 4`, 500),
  ]);
  const { markdown, furniture, warnings } = await read(pages);
  expect(markdown).toBe(times(4, () => BODY).join("\f"));
  expect(furniture).toEqual([{ page: 1, text: "Acme Ltd – Handbook" }]);
  expect(warnings).toContainEqual(expect.stringContaining("“Acme Ltd – Handbook”"));
});

test("words that differ at one place are data on every page", async () => {
  const decisions = ["Approved", "Approved", "Rejected", "Approved", "Approved"];
  expect(await keptOf(decisions.map((text) => [foot(text)]))).toEqual(decisions);
});

test("a running head with the number of a contract stays once", async () => {
  const title = "Agreement no. AB-77120";
  expect(await keptOf(times(3, () => [head(title)]))).toEqual([title, "", ""]);
});

test.each([
  ["a drawing's number", "A-101"],
  ["an article's number", "4711"],
  ["a share", "18 of 24"],
  ["a negative number", "-7"],
  ["a word that looks like a Roman number", "Civil"],
  ["a chapter or a date", "7-45"],
])("%s alone on the only page stays", async (_, text) => {
  expect((await keptOf([[foot(text, 280)]]))[0]).toContain(text);
});

test.each([
  ["that count on", (at: number) => String(at + 1)],
  ["of a part of a book", (at: number) => String(at + 37)],
  ["in Roman numerals", (at: number) => ["iv", "v", "vi", "vii"][at] ?? ""],
  ["between dashes", (at: number) => `– ${at + 1} –`],
  ["with the number of all pages", (at: number) => `${at + 1} / 4`],
  ["with their name", (at: number) => `Seite ${at + 7} von 90`],
])("numbers of pages %s are left out", async (_, number) => {
  expect(await keptOf(times(4, (at) => [foot(number(at), 290)]))).toEqual(["", "", "", ""]);
});

test.each([
  ["that is the same on each page", () => "450"],
  ["far from its place in the file", (at: number) => String(4711 + at)],
  ["that counts in other steps", (at: number) => String(12 + 3 * at)],
])("a lone number %s is data", async (_, number) => {
  const numbers = times(4, (at) => number(at));
  expect(await keptOf(numbers.map((text) => [foot(text, 290)]))).toEqual(numbers);
});

test("a number beside its label is data, even if it counts on as pages do", async () => {
  const pages = times(4, (at) => [foot("Ticket"), foot(String(at + 1), 110)]);
  for (const [at, text] of (await keptOf(pages)).entries())
    expect(text).toContain(String(at + 1));
});

test("titles of chapters at the edge are left out where the chapter bears them", async () => {
  const chapters = ["The mill", "The wells"].map((chapter) =>
    times(3, (at) => [
      body,
      head(chapter),
      ...(at === 0 ? [{ text: chapter, x: 60, y: 200, size: 18 }] : []),
    ]),
  );
  const { markdown } = await read(chapters.flat());
  expect(markdown.match(/The mill/g)).toHaveLength(1);
  expect(markdown.match(/The wells/g)).toHaveLength(1);
});

test("turned text in the margin is left out only if all pages have the same", async () => {
  const note = (text: string): Piece => ({ text, x: 30, y: 500, turned: true });
  const numbers = times(3, (at) => `Serial ${4711 + at * 13}`);
  const { markdown } = await read(numbers.map((text) => [body, note(text)]));
  for (const text of numbers) expect(markdown).toContain(text);
  const drafts = await read(times(3, () => [body, note("Draft")]));
  expect(drafts.markdown).not.toContain("Draft");
  expect(drafts.furniture).toEqual([{ page: 1, text: "Draft" }]);
});
