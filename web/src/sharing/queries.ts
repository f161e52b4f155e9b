import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
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
