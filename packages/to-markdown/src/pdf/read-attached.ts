import type { AttachedFile } from "../parsed-file.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pdfium } from "./pdfium.ts";

const MAX_FILES = 1_000;
/** Larger files are named, not read. */
const MAX_BYTES = 50_000_000;
const MAX_TOTAL_BYTES = 100_000_000;

/** The files that a PDF contains, as portfolios do, and sentences about those that are left out. */
export function readAttached(
  pdfium: Pdfium,
  { handle }: OpenPdf,
): { files: AttachedFile[]; warnings: string[] } {
  const { api, scratch, uint } = pdfium;
  const files: AttachedFile[] = [];
  const warnings: string[] = [];
  const count = api.FPDFDoc_GetAttachmentCount(handle);
  let left = MAX_TOTAL_BYTES;
  for (let at = 0; at < Math.min(count, MAX_FILES); at += 1) {
    const attached = api.FPDFDoc_GetAttachment(handle, at);
    if (attached === 0) continue;
    const name =
      pdfium
        .text("utf-16le", (buffer, size) =>
          api.FPDFAttachment_GetName(attached, buffer, size),
        )
        .trim() || `attachment ${at + 1}`;
    const read = (buffer: number, size: number) =>
      api.FPDFAttachment_GetFile(attached, buffer, size, scratch);
    const size = read(0, 0) ? uint(scratch) : 0;
    if (size > Math.min(MAX_BYTES, left)) {
      warnings.push(`The attachment ${name} is too large to be read inside a PDF.`);
      continue;
    }
    const buffer = size === 0 ? 0 : pdfium.keep(new Uint8Array(size));
    if (buffer !== 0 && read(buffer, size)) {
      files.push({ name, bytes: pdfium.view(buffer, size).slice() });
      left -= size;
    } else warnings.push(`The attachment ${name} is damaged or empty.`);
    if (buffer !== 0) pdfium.free(buffer);
  }
  if (count > MAX_FILES)
    warnings.push(`${count - MAX_FILES} attachments of this file were left out.`);
  return { files, warnings };
}
