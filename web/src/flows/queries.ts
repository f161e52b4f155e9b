import { queryOptions } from "@tanstack/react-query";
import type { RouteEvent, RouteOk } from "../../../src/platform/http/route.ts";
import { integrationsContract } from "../../../src/services/integrations/contract.ts";
import { accountsContract } from "../../../src/services/users/contract-flow-accounts.ts";
import { call } from "../api/call.ts";
import { toFailure } from "../api/failure.ts";
import { stream } from "../api/stream.ts";
import { pagedQuery } from "../shell/paged.ts";

const PAGE = 50;
const PROVIDER = "flowengine";

export type Flow = RouteOk<typeof integrationsContract.listFlows>["items"][number];
export type FlowEvent = RouteEvent<typeof integrationsContract.runFlow>;

export const flowsQuery = pagedQuery({
  queryKey: ["flows", "list"],
  load: (page, signal) =>
    call(integrationsContract.listFlows, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function flowQuery(flowId: string) {
  return queryOptions({
    queryKey: ["flow", flowId],
    queryFn: ({ signal }) =>
      call(integrationsContract.getFlow, { params: { flowId }, query: {} }, { signal }),
  });
}

/** The account and the key do not exist before they are first needed: then `null`. */
export const accountQuery = queryOptions({
  queryKey: ["flows", "account"],
  queryFn: ({ signal }) =>
    call(accountsContract.getFlowAccount, { query: {} }, { signal }).catch(nullIfMissing),
});

export const keyQuery = queryOptions({
  queryKey: ["flows", "key"],
  queryFn: ({ signal }) =>
    call(integrationsContract.getFlowKey, {}, { signal }).catch(nullIfMissing),
});

export const healthQuery = queryOptions({
  queryKey: ["flows", "health"],
  queryFn: ({ signal }) => call(integrationsContract.flowProviderHealth, {}, { signal }),
});

export function makeAccount() {
  return call(integrationsContract.ensureAccount, { params: { providerName: PROVIDER } });
}

export function runFlow(
  flowId: string,
  { input, sessionId }: { input: string; sessionId: string | undefined },
  signal: AbortSignal,
) {
  const body = { input, sessionId, stream: true };
  return stream(integrationsContract.runFlow, { params: { flowId }, body }, { signal });
}

function nullIfMissing(error: unknown): null {
  if (toFailure(error).status !== 404) throw error;
  return null;
}
