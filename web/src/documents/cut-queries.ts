import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteInput } from "../../../src/platform/http/route.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { CHUNKING_METHODS } from "../../../src/services/embedding/contract-jobs.ts";
import { call } from "../api/call.ts";

export { CHUNKING_METHODS };
export type Cutting = NonNullable<
  RouteInput<typeof documentsContract.previewChunks>["body"]
>;

/** The chunks that a document would have, cut in another way. Its index stays as it is. */
export function cutQuery(id: string, body: Cutting) {
  return queryOptions({
    queryKey: ["document", id, "cut", body],
    queryFn: ({ signal }) =>
      call(documentsContract.previewChunks, { params: { id }, body }, { signal }),
    placeholderData: keepPreviousData,
  });
}
