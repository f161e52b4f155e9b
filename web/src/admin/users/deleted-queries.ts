import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { deletionsContract } from "../../../../src/services/users/contract-user-deletion.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;

export type DeletedUser = RouteOk<
  typeof deletionsContract.listDeletedUsers
>["items"][number];

export const deletedQuery = pagedQuery({
  queryKey: ["users", "deleted"],
  filter: [],
  load: (page, signal) =>
    call(deletionsContract.listDeletedUsers, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ userId }) => userId,
});
