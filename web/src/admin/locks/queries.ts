import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { locksContract } from "../../../../src/services/users/contract-locks.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;

export type HeldLock = RouteOk<typeof locksContract.listLocks>["items"][number];

export const locksQuery = pagedQuery({
  queryKey: ["locks", "held"],
  load: (page, signal) =>
    call(locksContract.listLocks, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ featureId }) => featureId,
});
