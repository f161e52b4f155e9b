import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { conversionsContract } from "../../../src/services/core/conversions/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { call } from "../api/call.ts";
import { request } from "../api/request.ts";
import { stream } from "../api/stream.ts";
import { upload, type UploadOptions } from "../api/upload.ts";
import { pagedQuery } from "../shell/paged.ts";
import type { Tool } from "./routes.ts";

export type Conversion = RouteOk<typeof conversionsContract.getConversion>;
export type NewConversion = RouteInput<typeof conversionsContract.convert>["body"];

const PAGE = 50;
const MAX_PER_CALL = 100;

/** One's own conversions with the beginnings of their texts. */
export function conversionsQuery(query: string | undefined, type: Tool | undefined) {
  return pagedQuery({
    queryKey: ["conversions", "list"],
    filter: [type, query],
    load: (page, signal) =>
      call(
        conversionsContract.listConversions,
        { query: { page, limit: PAGE, query, type, texts: "short" } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function conversionQuery(id: string) {
  return queryOptions({
    queryKey: ["conversion", id],
    queryFn: ({ signal }) =>
      call(conversionsContract.getConversion, { params: { id } }, { signal }),
  });
}

export function documentsQuery(query: string | undefined) {
  return pagedQuery({
    queryKey: ["documents", "to-convert"],
    filter: [query],
    load: (page, signal) =>
      call(documentsContract.list, { query: { page, limit: PAGE, query } }, { signal }),
    keyOf: ({ id }) => id,
  });
}

export function convert(body: NewConversion, signal: AbortSignal) {
  return stream(
    conversionsContract.convert,
    { body: { ...body, stream: true } },
    { signal },
  );
}

export function changeOutput(id: string, output: string) {
  return call(conversionsContract.changeConversion, { params: { id }, body: { output } });
}

/** @returns how many were deleted. */
export async function deleteConversions(ids: readonly string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < ids.length; from += MAX_PER_CALL) {
    const body = { ids: ids.slice(from, from + MAX_PER_CALL) };
    const { results } = await call(conversionsContract.deleteConversions, { body });
    count += results.filter(({ success }) => success).length;
  }
  return count;
}

export function readDocument(id: string, signal: AbortSignal) {
  return call(documentsContract.get, { params: { id } }, { signal });
}

/** The text of a document that has been read. */
export async function readDocumentText(id: string, signal: AbortSignal): Promise<string> {
  const response = await request(
    documentsContract.markdown,
    { params: { id } },
    { signal },
  );
  return (await response.text()).replaceAll("\f", "\n\n").trim();
}

/** To be read once: it does not become one of the person's documents. */
export function uploadAttachment(file: File, options: UploadOptions) {
  const fields = { as: "attachment" };
  return upload(documentsContract.upload, file, { ...options, fields });
}
