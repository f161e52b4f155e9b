import type { RouteOk } from "../../../src/platform/http/route.ts";
import { approvalsContract } from "../../../src/services/core/approvals/contract.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "./paged.ts";

const PAGE = 20;

export type WaitingReply = RouteOk<typeof approvalsContract.listWaiting>["items"][number];

/** The replies that wait for a decision of the person, page by page. */
export const waitingRepliesQuery = (mayDecide: boolean) =>
  pagedQuery({
    queryKey: ["approvals", "waiting"],
    enabled: mayDecide,
    load: (page, signal) =>
      call(approvalsContract.listWaiting, { query: { page, limit: PAGE } }, { signal }),
    keyOf: ({ messageId }: WaitingReply) => messageId,
  });
