import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { groupsContract } from "../../../../src/services/users/contract-groups.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;
const MAX_FOUND = 8;

export type Group = RouteOk<typeof groupsContract.getGroup>;
export type ListedGroup = RouteOk<typeof groupsContract.listGroups>["items"][number];
export type Member = RouteOk<typeof groupsContract.listMembers>["items"][number];
export type NewGroup = RouteInput<typeof groupsContract.createGroup>["body"];
export type GroupChange = RouteInput<typeof groupsContract.changeGroup>["body"];
export type GroupProfile = Pick<Group, "name" | "description" | "externalName">;

export function groupsQuery(q: string | undefined) {
  return pagedQuery({
    queryKey: ["groups", "list"],
    filter: [q],
    load: (page, signal) =>
      call(
        groupsContract.listGroups,
        { query: { query: q, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function findGroupsQuery(words: string) {
  return queryOptions({
    queryKey: ["groups", "find", words],
    queryFn: ({ signal }) =>
      call(
        groupsContract.listGroups,
        { query: { query: words, limit: MAX_FOUND } },
        { signal },
      ),
    enabled: words !== "",
    // a list that is replaced by nothing takes the focus with it
    placeholderData: keepPreviousData,
  });
}

/** The groups in which a group is nested. */
export function parentsQuery(id: string) {
  return pagedQuery({
    queryKey: ["group", id, "parents"],
    load: (page, signal) =>
      call(
        groupsContract.listGroups,
        { query: { containing: id, page, limit: PAGE } },
        { signal },
      ),
    keyOf: (group) => group.id,
  });
}

export function nestedQuery(id: string) {
  return pagedQuery({
    queryKey: ["group", id, "nested"],
    load: (page, signal) =>
      call(
        groupsContract.listNested,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: (group) => group.id,
  });
}

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ["group", id, "itself"],
    queryFn: ({ signal }) => call(groupsContract.getGroup, { params: { id } }, { signal }),
  });
}

/** All members, however they became members. */
export function membersQuery(id: string, q: string | undefined) {
  const filter = { effective: "true", sort: "name" as const, query: q };
  return pagedQuery({
    queryKey: ["group", id, "members"],
    filter: [q],
    load: (page, signal) =>
      call(
        groupsContract.listMembers,
        { params: { id }, query: { ...filter, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ userId }) => userId,
  });
}

export function createGroup(body: NewGroup) {
  return call(groupsContract.createGroup, { body });
}

export function changeGroup(id: string, body: GroupChange) {
  return call(groupsContract.changeGroup, { params: { id }, body });
}

export function deleteGroup(id: string) {
  return call(groupsContract.deleteGroup, { params: { id } });
}

export function addMember(id: string, userId: string) {
  return call(groupsContract.addMember, { params: { id, userId } });
}

export function removeMember(id: string, userId: string) {
  return call(groupsContract.removeMember, { params: { id, userId } });
}

export function nestGroup(id: string, groupId: string) {
  return call(groupsContract.nestGroup, { params: { id, groupId } });
}

export function unnestGroup(id: string, groupId: string) {
  return call(groupsContract.unnestGroup, { params: { id, groupId } });
}
