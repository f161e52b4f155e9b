import { queryOptions } from "@tanstack/react-query";
import { tablesContract } from "../../../src/services/core/tables/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { pagesContract } from "../../../src/services/core/web/contract.ts";
import { call } from "../api/call.ts";
import { request, urlOf } from "../api/request.ts";

/** The text of a part of a document, such as a page; all of it where the part is not known. */
export function partTextQuery(documentId: string, part: number | null) {
  return queryOptions({
    queryKey: ["document", documentId, "text", part],
    async queryFn({ signal }) {
      const input = { params: { id: documentId } };
      const response = await request(documentsContract.markdown, input, { signal });
      const text = await response.text();
      if (part === null) return text.replaceAll("\f", "\n\n");
      return text.split("\f")[part - 1] ?? text;
    },
    staleTime: Infinity,
  });
}

/** Whether a page of the web still has these words. */
export function pageNowQuery(url: string, content: string) {
  return queryOptions({
    queryKey: ["page-now", url, content],
    queryFn: ({ signal }) =>
      call(pagesContract.compareWebPage, { body: { url, content } }, { signal }),
    retry: false,
    staleTime: 60_000,
  });
}

/** All rows of a query over tables of documents, as CSV. */
export async function readRows(documentIds: string[], sql: string): Promise<string> {
  const response = await request(tablesContract.exportTable, {
    body: { documentIds, sql },
  });
  return response.text();
}

/** Where the file itself is. */
export function contentAddress(documentId: string): string {
  return urlOf(documentsContract.content.path, { params: { id: documentId } });
}

/** The same, to be shown in the page. */
export function inlineAddress(documentId: string): string {
  const input = { params: { id: documentId }, query: { inline: "true" } };
  return urlOf(documentsContract.content.path, input);
}
