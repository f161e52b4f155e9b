import { expect, test } from "vitest";
import { fileToMarkdown } from "../file-to-markdown.ts";
import {
  buildDocx,
  readDocxBody,
  textParagraph,
  textRun,
} from "./build-docx.test-support.ts";

const line = (text: string) => textParagraph(textRun(text));
const part = (kind: "header" | "footer", text: string) =>
  [kind, `${kind}${text.length}.xml`, `<w:hdr>${line(text)}</w:hdr>`] as [
    string,
    string,
    string,
  ];
const section = (references: string) => `<w:sectPr>${references}</w:sectPr>`;
const reference = (kind: "header" | "footer", id: string, type = "default") =>
  `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;

test("keeps once what stands in headers and footers alone", async () => {
  const body =
    line("Supply agreement") +
    section(reference("header", "a") + reference("header", "b") + reference("footer", "c"));
  const markdown = await readDocxBody(body, {
    a: part("header", "Contract no. AB-77120"),
    b: part("header", "SUPPLY agreement"),
    c: part("footer", "Page 1 of 12"),
    unused: part("header", "An older draft of it"),
  });
  expect(markdown).toBe("Contract no. AB-77120\n\nSupply agreement");
});

test("shows a header of first pages only where a section has one", async () => {
  const parts = { a: part("header", "Only first") };
  const body = (first: string) =>
    line("text") + section(reference("header", "a", "first") + first);
  expect(await readDocxBody(body(""), parts)).toBe("text");
  expect(await readDocxBody(body("<w:titlePg/>"), parts)).toBe("Only first\n\ntext");
});

test("reads the documents that a document imports, and names what it cannot read", async () => {
  const chunk = (id: string) => `<w:altChunk r:id="${id}"/>`;
  const inner = buildDocx(line("inner words"));
  const file = await fileToMarkdown(
    buildDocx(
      line("first") + ["h", "r", "d", "t", "x"].map(chunk).join("") + line("last"),
      {
        h: ["aFChunk", "c1", "<html><body><h2>Web</h2></body></html>"],
        r: ["aFChunk", "c2", "{\\rtf1 rich}"],
        d: [
          "aFChunk",
          "c3.docx",
          buildDocx(line("outer") + chunk("i"), { i: ["aFChunk", "c.docx", inner] }),
        ],
        t: ["aFChunk", "c4.txt", "plain"],
        x: ["aFChunk", "c5", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2])],
      },
    ),
    { fileName: "a.docx" },
  );
  expect(file.markdown).toBe(
    "first\n\n## Web\n\nrich\n\nouter\n\ninner words\n\nplain\n\nlast",
  );
  expect(file.warnings).toEqual([
    expect.stringContaining("1 imported parts were left out"),
  ]);
});
