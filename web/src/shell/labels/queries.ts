import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { labelsContract } from "../../../../src/services/users/contract-labels.ts";
import type { Resource } from "../../../../src/services/users/contract-sharing.ts";
import { call } from "../../api/call.ts";

/** All of an organisation, which may have 50. */
const PAGE = 100;

export type Label = RouteOk<typeof labelsContract.listLabels>["items"][number];
export type LabelOfResource = RouteOk<typeof labelsContract.labelsOn>["labels"][number];
export type NewLabel = RouteInput<typeof labelsContract.createLabel>["body"];
export type LabelColor = Label["color"];

export const labelsQuery = queryOptions({
  queryKey: ["labels", "all"],
  queryFn: ({ signal }) =>
    call(labelsContract.listLabels, { query: { limit: PAGE } }, { signal }),
});

/** The labels in effect on a resource. */
export function labelsOnQuery({ resourceType, resourceId }: Resource) {
  return queryOptions({
    queryKey: ["labels", "on", resourceType, resourceId],
    queryFn: ({ signal }) =>
      call(labelsContract.labelsOn, { params: { resourceType, resourceId } }, { signal }),
  });
}

export function setLabels(resource: Resource, labelIds: string[]) {
  return call(labelsContract.setLabels, { params: resource, body: { labelIds } });
}

export function createLabel(body: NewLabel) {
  return call(labelsContract.createLabel, { body });
}

export function changeLabel(id: string, body: NewLabel) {
  return call(labelsContract.changeLabel, { params: { id }, body });
}

export function deleteLabel(id: string) {
  return call(labelsContract.deleteLabel, { params: { id } });
}
