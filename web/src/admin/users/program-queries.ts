import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { mcpClientsContract as contract } from "../../../../src/services/users/contract-mcp-clients.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

export type GrantOfUser = RouteOk<typeof contract.listGrantsOfUsers>["items"][number];

const KEY = ["users", "mcp-grants"];
export const PROGRAM_KEYS = [KEY];
const PAGE = 50;

/** What all users granted to programs, or one of them. */
export function programsQuery(userId: string | undefined) {
  return pagedQuery({
    queryKey: KEY,
    filter: [userId],
    load: (page, signal) =>
      call(
        contract.listGrantsOfUsers,
        { query: { userId, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function disconnectProgram(id: string) {
  return call(contract.deleteGrantOfUser, { params: { id } });
}
