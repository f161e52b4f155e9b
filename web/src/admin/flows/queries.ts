import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { integrationsContract } from "../../../../src/services/integrations/contract.ts";
import { personalContract } from "../../../../src/services/users/contract-personal.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";
import type { Subject } from "../../shell/subject-queries.ts";

const PAGE = 50;
const MAX_FOUND = 8;

export type GrantableFlow = RouteOk<
  typeof integrationsContract.listGrantableFlows
>["items"][number];
type Permission = RouteOk<typeof integrationsContract.listPermissions>["items"][number];

/** A permission with the names of the people in it. */
export interface NamedPermission extends Permission {
  userName: string;
  grantedByName: string;
}

export function permissionsQuery(flowId: string | undefined) {
  return pagedQuery<NamedPermission>({
    queryKey: ["flow-permissions", "list"],
    filter: [flowId],
    async load(page, signal) {
      const query = { page, limit: PAGE, flowId };
      const list = await call(integrationsContract.listPermissions, { query }, { signal });
      const ids = list.items.flatMap(({ userId, grantedBy }) => [userId, grantedBy]);
      const names = await readNames([...new Set(ids)], signal);
      const nameOf = (id: string) => names.get(id) ?? id;
      const items = list.items.map((permission) => ({
        ...permission,
        userName: nameOf(permission.userId),
        grantedByName: nameOf(permission.grantedBy),
      }));
      return { ...list, items };
    },
    keyOf: ({ userId, flowId: flow }) => `${userId} ${flow}`,
  });
}

async function readNames(ids: readonly string[], signal: AbortSignal) {
  if (ids.length === 0) return new Map<string, string>();
  const query = { ids: ids.join(",") };
  const { items } = await call(personalContract.userInfo, { query }, { signal });
  return new Map(items.map(({ id, name }) => [id, name]));
}

export function grantableFlowsQuery(query: string) {
  return queryOptions({
    queryKey: ["flow-permissions", "grantable", query],
    queryFn: ({ signal }) =>
      call(
        integrationsContract.listGrantableFlows,
        { query: { query: query || undefined, limit: MAX_FOUND } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** @returns how many people may run the flow now. */
export async function grant(
  flowId: string,
  { subjectType, subjectId }: Pick<Subject, "subjectType" | "subjectId">,
): Promise<number> {
  if (subjectType === "group") {
    const body = { groupId: subjectId, flowId };
    return (await call(integrationsContract.grantFlowToGroup, { body })).members;
  }
  await call(integrationsContract.grantFlow, { body: { userId: subjectId, flowId } });
  return 1;
}

/** @returns whether anybody lost the flow. */
export async function revoke(
  flowId: string,
  { subjectType, subjectId }: Pick<Subject, "subjectType" | "subjectId">,
): Promise<boolean> {
  const body =
    subjectType === "group"
      ? { groupId: subjectId, flowIds: [flowId] }
      : { userIds: [subjectId], flowId };
  return (await call(integrationsContract.revokeFlows, { body })).success;
}
