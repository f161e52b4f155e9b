import { useQuery } from "@tanstack/react-query";
import type { Resource } from "../../../src/services/users/contract-sharing.ts";
import { meQuery, usePermission } from "../shell/queries.ts";
import { roleQuery } from "./queries.ts";

/** Whether the person signed in may change who has access to a resource: only its owners may. */
export function useMayShare(resource: Resource): boolean {
  const mayCreate = usePermission("share:create");
  const mayRead = usePermission("share:read");
  const { data: me } = useQuery(meQuery);
  const isPermitted = me !== undefined && mayCreate && mayRead;
  const { data: role } = useQuery({
    ...roleQuery(resource, me?.id ?? ""),
    enabled: isPermitted,
  });
  return isPermitted && role === "owner";
}
