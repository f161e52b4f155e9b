import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { usersContract } from "../../../../src/services/users/contract.ts";
import { userAccessContract } from "../../../../src/services/users/contract-user-access.ts";
import { call } from "../../api/call.ts";
import { request } from "../../api/request.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { saveFile } from "../../ui/save-file.ts";
import type { UsersSearch } from "./routes.ts";

const PAGE = 50;
const MAX_FOUND = 8;

export type User = RouteOk<typeof usersContract.getUser>;
export type NewUser = RouteInput<typeof usersContract.createUser>["body"];
export type UserChange = RouteInput<typeof usersContract.changeUser>["body"];

export function usersQuery({ q, role, state }: UsersSearch) {
  const filter = {
    query: q,
    role,
    disabled: state && (state === "disabled" ? "true" : "false"),
    sort: "name" as const,
  };
  return pagedQuery({
    queryKey: ["users", "list"],
    filter: [q, role, state],
    load: (page, signal) =>
      call(
        usersContract.listUsers,
        { query: { ...filter, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

/** Active users whose name or email contains the words. */
export function findUsersQuery(words: string) {
  const query = {
    query: words,
    disabled: "false",
    sort: "name" as const,
    limit: MAX_FOUND,
  };
  return queryOptions({
    queryKey: ["users", "find", words],
    queryFn: ({ signal }) => call(usersContract.listUsers, { query }, { signal }),
    enabled: words !== "",
    // a list that is replaced by nothing takes the focus with it
    placeholderData: keepPreviousData,
  });
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: ["user", id],
    queryFn: ({ signal }) => call(usersContract.getUser, { params: { id } }, { signal }),
  });
}

export function permissionsOfUserQuery(id: string) {
  return queryOptions({
    queryKey: ["user", id, "permissions"],
    queryFn: ({ signal }) =>
      call(userAccessContract.explainPermissions, { params: { id } }, { signal }),
  });
}

export function groupsOfUserQuery(id: string) {
  return pagedQuery({
    queryKey: ["user", id, "groups"],
    load: (page, signal) =>
      call(
        userAccessContract.listGroupsOfUser,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: (group) => group.id,
  });
}

export function sessionsOfUserQuery(id: string) {
  return pagedQuery({
    queryKey: ["user", id, "sessions"],
    load: (page, signal) =>
      call(
        userAccessContract.listUserSessions,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: (session) => session.id,
  });
}

export function createUser(body: NewUser) {
  return call(usersContract.createUser, { body });
}

export function changeUser(id: string, body: UserChange) {
  return call(usersContract.changeUser, { params: { id }, body });
}

export function endSessions(id: string) {
  return call(userAccessContract.endUserSessions, { params: { id } });
}

/** Without a recipient the data is deleted. */
export function deleteUser(id: string, transferTo: string | undefined) {
  return call(usersContract.deleteUser, { params: { id }, query: { transferTo } });
}

/** Downloads all data of a user: by a request, which may have to prove first who asks. */
export async function exportUser(id: string): Promise<void> {
  const answer = await request(usersContract.exportUser, { params: { id } });
  saveFile("personal-data.ndjson", await answer.blob());
}
