import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { rolesContract } from "../../../../src/services/users/contract-roles.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 100;

export type Role = RouteOk<typeof rolesContract.getRole>;
export type NewRole = RouteInput<typeof rolesContract.createRole>["body"];
type RoleChange = RouteInput<typeof rolesContract.changeRole>["body"];

export const rolesQuery = pagedQuery({
  queryKey: ["roles", "list"],
  load: (page, signal) =>
    call(rolesContract.listRoles, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ name }) => name,
});

export function roleQuery(name: string) {
  return queryOptions({
    queryKey: ["role", name],
    queryFn: ({ signal }) => call(rolesContract.getRole, { params: { name } }, { signal }),
    enabled: name !== "",
  });
}

export function createRole(body: NewRole) {
  return call(rolesContract.createRole, { body });
}

export function changeRole(name: string, body: RoleChange) {
  return call(rolesContract.changeRole, { params: { name }, body });
}

export function deleteRole(name: string) {
  return call(rolesContract.deleteRole, { params: { name } });
}
