import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { pdfToMarkdown } from "./pdf-to-markdown.ts";

type Draw = (document: PDFKit.PDFDocument) => void;

/** A PDF of A4 pages, drawn by `draw`. */
function aPdf(draw: Draw, options: PDFKit.PDFDocumentOptions = {}): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: "A4", margin: 60, ...options });
    const parts: Uint8Array[] = [];
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(parts))));
    document.on("error", reject);
    document.font("Helvetica").fontSize(11);
    draw(document);
    document.end();
  });
}

const PROSE =
  "The river had been low all summer, and the people of the valley had begun to speak of wells again. " +
  "Nobody could remember a year in which the mill stood still for so long, not even the oldest of them.";

test("recognizes headings by size, and joins the lines of a paragraph", async () => {
  const bytes = await aPdf((document) => {
    document.fontSize(24).text("The low river").moveDown();
    document.fontSize(11).text(PROSE).moveDown();
    document.fontSize(16).text("A summer without rain").moveDown();
    document.fontSize(11).text(PROSE);
  });
  const { markdown, pages } = await pdfToMarkdown(bytes);
  expect(markdown).toBe(
    `# The low river\n\n${PROSE}\n\n## A summer without rain\n\n${PROSE}`,
  );
  expect(pages).toBe(1);
});

test("separates pages by form feeds, including empty ones", async () => {
  const bytes = await aPdf((document) => {
    for (let page = 1; page <= 150; page += 1) {
      if (page > 1) document.addPage();
      if (page % 10 !== 0) document.text(`This is the text of sheet ${page}.`, 60, 300);
    }
  });
  const { markdown, pages, pageQuality } = await pdfToMarkdown(bytes);
  const parts = markdown.split("\f");
  expect(pages).toBe(150);
  expect(pageQuality.map(({ page }) => page)).toEqual(parts.map((_, index) => index + 1));
  for (const [index, part] of parts.entries()) {
    expect(part).toBe(
      (index + 1) % 10 === 0 ? "" : `This is the text of sheet ${index + 1}.`,
    );
  }
});

test("two columns are read one after the other", async () => {
  const bytes = await aPdf((document) => {
    document.fontSize(20).text("A heading over both of the columns of this page", 60, 60);
    document.fontSize(11).text(`Left. ${PROSE} ${PROSE}`, 60, 120, { width: 225 });
    document.text(`Right. ${PROSE} ${PROSE}`, 310, 120, { width: 225 });
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown).toBe(
    `# A heading over both of the columns of this page\n\nLeft. ${PROSE} ${PROSE}\n\nRight. ${PROSE} ${PROSE}`,
  );
});

test("refuses a file that is not a PDF, with the reason", async () => {
  await expect(pdfToMarkdown(new TextEncoder().encode("hello"))).rejects.toMatchObject({
    code: "invalid_pdf",
  });
});

test("requires the password of a protected file, and opens with it", async () => {
  const bytes = await aPdf((document) => document.text("Only for those who know."), {
    userPassword: "sesame",
  });
  await expect(pdfToMarkdown(bytes)).rejects.toMatchObject({ code: "password_required" });
  await expect(pdfToMarkdown(bytes, { password: "wrong" })).rejects.toMatchObject({
    code: "wrong_password",
  });
  expect((await pdfToMarkdown(bytes, { password: "sesame" })).markdown).toBe(
    "Only for those who know.",
  );
});

test("stops between pages when aborted", async () => {
  const bytes = await aPdf((document) => document.text("One page."));
  await expect(pdfToMarkdown(bytes, { signal: AbortSignal.abort() })).rejects.toThrow();
});

test("joins a heading of two lines, but not with a heading of the next level", async () => {
  const title =
    "What the measurements of the long dry summer say about the wells of the valley";
  const bytes = await aPdf((document) => {
    document.fontSize(24).text(title).moveDown(0.5);
    document.fontSize(16).text("The first well").moveDown(0.5);
    document.fontSize(11).text(`${PROSE} ${PROSE}`);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown).toBe(`# ${title}\n\n## The first well\n\n${PROSE} ${PROSE}`);
});

test("joins a heading of many short lines in large type", async () => {
  const title = "What the measurements of the long dry summer say about the wells of it";
  const bytes = await aPdf(
    (document) => {
      document.fontSize(20).text(title).moveDown(0.5);
      document.fontSize(11).text(`${PROSE} ${PROSE}`);
    },
    { size: [240, 800], margin: 40 },
  );
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown).toBe(`# ${title}\n\n${PROSE} ${PROSE}`);
});

test("columns that stand as near to each other as words do are read one after the other", async () => {
  const narrow = { width: 150, align: "justify" as const };
  const bytes = await aPdf((document) => {
    document.fontSize(11).text(`Left. ${PROSE} ${PROSE}`, 60, 100, narrow);
    document.text(`Right. ${PROSE} ${PROSE}`, 219, 100, narrow);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown.replace(/\s+/g, " ")).toBe(
    `Left. ${PROSE} ${PROSE} Right. ${PROSE} ${PROSE}`,
  );
});

test("a line that points lead to its page is no heading", async () => {
  const bytes = await aPdf((document) => {
    document.font("Helvetica-Bold").text(`Overview ${".".repeat(60)} 5`);
    document.font("Helvetica").moveDown().text(PROSE);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toMatch(/^\*\*Overview/);
});

test("says of a page how much of it one picture covers, if that is most of it", async () => {
  // the smallest PNG
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const bytes = await aPdf((document) => {
    document.image(png, 0, 0, { width: 595, height: 842 }).text("Annual report");
    document.addPage().image(png, 0, 0, { width: 595, height: 500 });
    document.addPage().image(png, 100, 100, { width: 100, height: 100 }).text(PROSE);
  });
  const { pageQuality } = await pdfToMarkdown(bytes, {});
  expect(pageQuality.map(({ covered }) => covered)).toEqual([1, 0.59, undefined]);
});
