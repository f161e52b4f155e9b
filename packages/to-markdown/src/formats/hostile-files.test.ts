import { expect, test } from "vitest";
import { buildZip, relationships } from "./build-zip.test-support.ts";
import { fileToMarkdown } from "./file-to-markdown.ts";

const LIMIT = { timeout: 90_000 };
const read = (bytes: Buffer) => fileToMarkdown(bytes, { fileName: "upload" });
const outcome = async (bytes: Buffer): Promise<unknown> =>
  read(bytes).then(
    ({ markdown }) => markdown,
    (error: unknown) => error,
  );
const document = (body: string, before = "") =>
  `${before}<w:document><w:body>${body}</w:body></w:document>`;
const docx = (xml: string, rest: Record<string, string | Buffer> = {}) =>
  buildZip({ "word/document.xml": xml, ...rest });
const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;

test("refuses a part that unpacks to hundreds of times its size", LIMIT, async () => {
  expect(await outcome(docx(document(" ".repeat(120_000_000))))).toMatchObject({
    code: "too_complex",
  });
});

test("never unpacks a part that it does not need", LIMIT, async () => {
  expect(
    await outcome(
      docx(document(text("small")), { "word/media/huge.bin": Buffer.alloc(150_000_000) }),
    ),
  ).toBe("small");
});

test("refuses archives of too many parts", LIMIT, async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_001 }, (_, index) => [`x/${index}`, ""]),
  );
  expect(await outcome(docx(document(text("x")), many))).toMatchObject({
    code: "too_complex",
  });
});

test("ignores names that lead out of the archive", async () => {
  expect(
    await outcome(
      docx(document(text("safe")), { "../../etc/passwd": "x", "..\\evil": "y" }),
    ),
  ).toBe("safe");
});

test("expands no entities and fetches none", async () => {
  const own =
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&#38;amp;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  expect(await outcome(docx(document(text("x &b; &f; y"), own)))).toBe("x \\&b; \\&f; y");
});

test("refuses entities that contain other entities, and says so", async () => {
  const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
  expect(await outcome(docx(document(text("x &b; y"), laughs)))).toMatchObject({
    code: "too_complex",
    message: expect.stringContaining("entities that contain other entities"),
  });
});

test(
  "refuses what is nested without end, and reads on after what is nested too deep to be laid out",
  LIMIT,
  async () => {
    const nested = (depth: number) =>
      document(
        "<w:tbl><w:tr><w:tc>".repeat(depth) +
          text("core") +
          "</w:tc></w:tr></w:tbl>".repeat(depth) +
          text("after"),
      );
    expect(await outcome(docx(nested(50_000)))).toMatchObject({ code: "too_complex" });
    expect(await outcome(docx(nested(200)))).toEqual(expect.stringContaining("after"));
  },
);

test.each([
  ["rich text nested without end", Buffer.from(`{\\rtf1 ${"{".repeat(200_000)}core`)],
  [
    "rich text that promises more bytes than it has",
    Buffer.from("{\\rtf1 text\\bin999999999 abc}"),
  ],
  [
    "mail of parts in parts",
    Buffer.from(
      Array.from(
        { length: 2_000 },
        (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
      ).join("") + "\ntext",
    ),
  ],
  [
    "mail of a million empty parts",
    Buffer.from(
      `Subject: x\nFrom: a\nTo: b\nContent-Type: multipart/mixed; boundary=b\n\n${"--b\n\n".repeat(500_000)}`,
    ),
  ],
  ["a compressed file that is no archive", Buffer.from("PK\x03\x04 and nothing else")],
  ["an empty file", Buffer.alloc(0)],
  ["a book without its table", buildZip({ mimetype: "application/epub+zip" })],
  ["a document without its text", buildZip({ "word/other.xml": "<x/>" })],
  [
    "a workbook whose sheet is missing",
    buildZip({
      "xl/workbook.xml": "<workbook><sheets><sheet name='a' r:id='r'/></sheets></workbook>",
      "xl/_rels/workbook.xml.rels": relationships({
        r: ["worksheet", "../../../etc/passwd"],
      }),
    }),
  ],
  ["XML that never ends", docx(`<w:document><w:body>${text("begun")}<w:p a="`)],
])("ends with text or a reason on %s", LIMIT, async (_, bytes) => {
  const result = await outcome(bytes);
  if (typeof result !== "string")
    expect(result).toMatchObject({
      code: expect.stringMatching(/^(?:file_damaged|too_complex|file_type_not_supported)$/),
    });
});

test("continues after a damaged part, and names it", async () => {
  const sheet = (value: string) =>
    `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>${value}</v></c></row></sheetData></worksheet>`;
  const whole = buildZip({
    "xl/workbook.xml":
      '<workbook><sheets><sheet name="A" r:id="a"/><sheet name="B" r:id="b"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relationships({
      a: ["worksheet", "worksheets/a.xml"],
      b: ["worksheet", "worksheets/b.xml"],
    }),
    "xl/worksheets/a.xml": sheet("lost"),
    "xl/worksheets/b.xml": sheet("kept"),
  });
  const name = Buffer.from("xl/worksheets/a.xml");
  whole.fill(
    0xff,
    whole.indexOf(name) + name.length,
    whole.indexOf(name) + name.length + 20,
  );
  const file = await read(whole);
  expect(file.markdown).toContain("kept");
  expect(file.warnings).toEqual([
    'The sheet "A" could not be read: that part of the file is damaged.',
  ]);
});

test("reports a protected file as such", async () => {
  const compound = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(600),
    Buffer.from("EncryptedPackage", "utf16le"),
    Buffer.alloc(600),
  ]);
  expect(await outcome(compound)).toMatchObject({ code: "file_encrypted" });
});
