import { deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { pdfToMarkdown } from "./pdf-to-markdown.ts";

function aPdf(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: "A4", margin: 60, ...options });
    const parts: Uint8Array[] = [];
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolve(Buffer.concat(parts)));
    document.on("error", reject);
    draw(document);
    document.end();
  });
}

/** A PDF of these objects, numbered from 1, with this end. */
const ofObjects = (objects: readonly string[], end: string): Uint8Array =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj`).join("\n")}\n${end}`,
    "latin1",
  );
const streamOf = (text: string, entries = "") =>
  `<< /Length ${text.length} ${entries}>>\nstream\n${text}\nendstream`;
const PAGE =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
const CONTENT = streamOf("BT /F 12 Tf 20 100 Td (Readable words.) Tj ET");
const CUT = /cut off or damaged/;

test("a file cut at any place behind its pages is read, with a warning", async () => {
  const whole = await aPdf((document) => document.text("The words of the only page."));
  const trailer = whole.lastIndexOf("trailer");
  const table = whole.lastIndexOf("xref", trailer);
  for (const end of [trailer, trailer - 30, table + 2, table - 1]) {
    const { markdown, warnings } = await pdfToMarkdown(whole.subarray(0, end));
    expect(markdown).toBe("The words of the only page.");
    expect(warnings).toEqual([expect.stringMatching(CUT)]);
  }
});

test.each([
  ["the catalog", [`<< /Type /Font >>`, "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"]],
  ["the root of the pages", [`<< /Type /Font >>`, "<< /Type /Font >>"]],
])("a file that has lost %s keeps its pages", async (_, lost) => {
  const bytes = ofObjects([...lost, PAGE, CONTENT], "5 0 obj\n<< /Type /Cat");
  const { markdown, warnings } = await pdfToMarkdown(bytes);
  expect(markdown).toBe("Readable words.");
  expect(warnings).toEqual([expect.stringMatching(CUT)]);
});

test("a file whose catalog is in a stream of objects is read when it is cut", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  ];
  const index = `1 0 2 ${objects[0]?.length} `;
  const packed = deflateSync(Buffer.from(index + objects.join(""))).toString("latin1");
  const entries = `/Type /ObjStm /N 2 /First ${index.length} /Filter /FlateDecode `;
  const bytes = Buffer.from(
    `%PDF-1.7\n3 0 obj\n${PAGE}\nendobj\n4 0 obj\n${CONTENT}\nendobj\n5 0 obj\n${streamOf(packed, entries)}\nendobj\n6 0 obj\n<< /Type /XR`,
    "latin1",
  );
  expect((await pdfToMarkdown(bytes)).markdown).toBe("Readable words.");
});

test("a cut file without pages, or with a lost key, is refused", async () => {
  const key = "<< /Filter /Standard /V 1 /R 2 /O (o) /U (u) /P -4 >>";
  for (const objects of [["<< /Type /Font >>"], ["<< >>", "<< >>", PAGE, CONTENT, key]])
    await expect(pdfToMarkdown(ofObjects(objects, ""))).rejects.toMatchObject({
      code: "invalid_pdf",
    });
});

test("the files that a PDF contains are returned as attachments", async () => {
  const bytes = await aPdf((document) => {
    document.file(Buffer.from("a;b\n1;2"), { name: "data.csv" });
    document.file(Buffer.from("Inner words"), { name: "notes.txt" });
  });
  const { attachments = [] } = await pdfToMarkdown(bytes);
  expect(
    attachments.map(({ name, bytes: inner }) => [name, Buffer.from(inner).toString()]),
  ).toEqual([
    ["data.csv", "a;b\n1;2"],
    ["notes.txt", "Inner words"],
  ]);
});

const anXfa = (xml: string, annots = "") =>
  ofObjects(
    [
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 5 0 R >> >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      PAGE.replace("/Parent", `${annots} /Parent`),
      streamOf("BT /F 12 Tf 20 100 Td (Please wait...) Tj ET"),
      streamOf(xml),
    ],
    "trailer << /Root 1 0 R /Size 6 >>\n%%EOF",
  );
const XFA =
  '<?xml version="1.0"?><xdp><template><subform><draw><value><text>Travel &amp; costs</text></value></draw>' +
  '<field name="who"><caption><value><text>Applicant</text></value></caption></field></subform></template>' +
  "<datasets><data><form><who>Jane *Doe*</who><days>3</days><empty/></form></data></datasets></xdp>";

test("a form in XFA gives its labels and data", async () => {
  const { markdown, warnings } = await pdfToMarkdown(anXfa(XFA));
  expect(markdown).toBe(
    "Travel & costs\n\nApplicant: Jane \\*Doe\\*\n\ndays: 3\n\nPlease wait...",
  );
  expect(warnings).toEqual([expect.stringMatching(/dynamic form/)]);
});

test("a form in XFA that cannot be read is named in a warning", async () => {
  const { markdown, warnings } = await pdfToMarkdown(anXfa("<xdp"));
  expect(markdown).toBe("Please wait...");
  expect(warnings).toEqual([expect.stringMatching(/could not be read/)]);
});

test("a form in XFA whose pages have fields is read from its pages", async () => {
  const field =
    "/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Drawn) /F 4 /Rect [20 50 200 70] >>]";
  const { markdown, warnings } = await pdfToMarkdown(anXfa(XFA, field));
  expect(markdown).toContain("Drawn");
  expect([markdown, ...warnings].join()).not.toContain("Applicant");
});
