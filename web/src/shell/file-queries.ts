import { documentsContract } from "../../../src/services/documents/contract.ts";
import { urlOf } from "../api/request.ts";

/** Formats that the server sends to be shown and every browser knows. */
const SHOWN = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"];

/** Whether a file is a picture that can be shown. */
export function isPicture(mimeType: string): boolean {
  return SHOWN.includes(mimeType);
}

/** Where a file is, to be shown in the page. */
export function inlineAddress(documentId: string): string {
  const input = { params: { id: documentId }, query: { inline: "true" } };
  return urlOf(documentsContract.content.path, input);
}
