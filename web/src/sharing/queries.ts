import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import {
  type Resource,
  sharingContract,
} from "../../../src/services/users/contract-sharing.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";

const PAGE = 50;

export type Share = RouteOk<typeof sharingContract.listShares>["items"][number];
export type NewShare = RouteInput<typeof sharingContract.share>["body"]["shares"][number];
export type LinkSettings = RouteInput<typeof sharingContract.setLink>["body"];

const keyOf = ({ resourceType, resourceId }: Resource) => [resourceType, resourceId];

export function sharesQuery(resource: Resource) {
  return pagedQuery({
    queryKey: ["shares", ...keyOf(resource)],
    load: (page, signal) =>
      call(
        sharingContract.listShares,
        { params: resource, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function linkQuery(resource: Resource) {
  return queryOptions({
    queryKey: ["link", ...keyOf(resource)],
    queryFn: ({ signal }) =>
      call(sharingContract.getLink, { params: resource }, { signal }),
  });
}

/** Why the person signed in may use a resource, with the names of the folders that give it. */
export function accessQuery(resource: Resource) {
  return queryOptions({
    queryKey: ["shares", "why", ...keyOf(resource)],
    queryFn: async ({ signal }) => {
      const params = resource;
      const access = await call(sharingContract.explainAccess, { params }, { signal });
      const ids = new Set(access.grounds.flatMap(({ folderId }) => folderId ?? []));
      const titles =
        ids.size === 0
          ? []
          : await call(
              documentsContract.titles,
              { query: { ids: [...ids].join(",") } },
              { signal },
            );
      return { ...access, folders: new Map(titles.map(({ id, title }) => [id, title])) };
    },
  });
}

/** The role of a user in a resource, `null` without access. */
export function roleQuery(resource: Resource, userId: string) {
  return queryOptions({
    queryKey: ["role", ...keyOf(resource), userId],
    queryFn: async ({ signal }) => {
      const body = { ...resource, userId };
      const { role } = await call(sharingContract.checkAccess, { body }, { signal });
      return role;
    },
  });
}

export function shareWith(resource: Resource, share: NewShare) {
  return call(sharingContract.share, { body: { ...resource, shares: [share] } });
}

export function removeShare(shareId: string) {
  return call(sharingContract.deleteShare, { params: { shareId } });
}

export function setLink(resource: Resource, body: LinkSettings) {
  return call(sharingContract.setLink, { params: resource, body });
}
