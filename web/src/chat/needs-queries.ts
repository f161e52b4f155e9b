import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { call } from "../api/call.ts";

const SHOWN_DOCUMENTS = 3;

export type FailedDocument = RouteOk<typeof documentsContract.list>["items"][number];

/** A few things of a list, and whether there are more. */
export interface Few<Item> {
  items: Item[];
  hasMore: boolean;
}

/** The documents of the person that could not be read, and are not to be left so. */
export const failedDocumentsQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: ["documents", "failed", ownerId ?? null],
    async queryFn({ signal }): Promise<Few<FailedDocument>> {
      const kind = { status: "FAILED", skipped: "false", scope: "own" } as const;
      const query = { ...kind, limit: SHOWN_DOCUMENTS };
      const { items, total } = await call(documentsContract.list, { query }, { signal });
      return { items, hasMore: total > items.length };
    },
    enabled: ownerId !== undefined,
  });
