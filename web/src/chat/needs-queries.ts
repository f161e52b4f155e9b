import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { approvalsContract } from "../../../src/services/core/approvals/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";

const PAGE_REPLIES = 4;
const SHOWN_DOCUMENTS = 3;
/** Among which those that are not to be left so are looked for. */
const READ_DOCUMENTS = 20;

export type WaitingReply = RouteOk<typeof approvalsContract.listWaiting>["items"][number];
type StoredDocument = RouteOk<typeof documentsContract.list>["items"][number];

/** The replies that wait for a decision, page by page. */
export const waitingRepliesQuery = (mayDecide: boolean) =>
  pagedQuery({
    queryKey: ["approvals", "waiting"],
    enabled: mayDecide,
    load: (page, signal) =>
      call(
        approvalsContract.listWaiting,
        { query: { page, limit: PAGE_REPLIES } },
        { signal },
      ),
    keyOf: ({ messageId }: WaitingReply) => messageId,
  });

/** A few things of a list, and whether there are more. */
export interface Few<Item> {
  items: Item[];
  hasMore: boolean;
}

/** The documents of the person that could not be read, and are not to be left so. */
export const failedDocumentsQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: ["documents", "failed", ownerId ?? null],
    async queryFn({ signal }): Promise<Few<StoredDocument>> {
      const query = { status: "FAILED", scope: "own", limit: READ_DOCUMENTS } as const;
      const { items, total } = await call(documentsContract.list, { query }, { signal });
      const own = items.filter(({ skipped }) => !skipped);
      return {
        items: own.slice(0, SHOWN_DOCUMENTS),
        hasMore: own.length > SHOWN_DOCUMENTS || total > items.length,
      };
    },
    enabled: ownerId !== undefined,
  });
