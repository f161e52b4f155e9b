import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { externalUsersContract } from "../../../../src/services/users/contract-external-users.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";
import type { ExternalSearch } from "./routes.ts";

const PAGE = 50;

export type ExternalUser = RouteOk<typeof externalUsersContract.changeExternalUser>;

export function externalUsersQuery({ q, state }: ExternalSearch) {
  const disabled = state && (state === "disabled" ? "true" : "false");
  return pagedQuery({
    queryKey: ["users", "external"],
    filter: [q, state],
    load: (page, signal) =>
      call(
        externalUsersContract.listExternalUsers,
        { query: { page, limit: PAGE, query: q, disabled } },
        { signal },
      ),
    keyOf: ({ userId }) => userId,
  });
}

export function setExternalDisabled(userId: string, disabled: boolean) {
  return call(externalUsersContract.changeExternalUser, {
    params: { userId },
    body: { disabled },
  });
}

/** Without a recipient the data is deleted. */
export function deleteExternalUser(userId: string, transferTo: string | undefined) {
  return call(externalUsersContract.deleteExternalUser, {
    params: { userId },
    query: { transferTo },
  });
}
