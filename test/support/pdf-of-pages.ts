import PDFDocument from "pdfkit";

interface PdfOptions {
  size?: [number, number];
  userPassword?: string;
}

/** A PDF with a page for each text. */
export async function pdfOfPages(
  pages: readonly string[],
  { size = [595, 842], userPassword }: PdfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PDFDocument({
    size,
    margin: 60,
    autoFirstPage: false,
    ...(userPassword && { userPassword }),
  });
  const parts: Uint8Array[] = [];
  document.on("data", (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const text of pages) document.addPage().fontSize(12).text(text, { lineGap: 4 });
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}
