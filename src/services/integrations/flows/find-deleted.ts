import { ApiError } from "../../../platform/http/errors.ts";
import { type FlowDeps, withKeyOf } from "./find-flow.ts";
import type { KnownFlow } from "./store.ts";

/** The number of accounts whose flows one request lists. */
const MAX_ACCOUNTS = 20;
/** The number of flows to look up one by one, because no list of their account has them. */
const MAX_LOOKUPS = 20;

/**
 * Returns the ids of flows that no longer exist at the provider. Flows of an account that cannot be
 * asked count as existing.
 */
export async function findDeletedFlows(
  deps: FlowDeps,
  flows: readonly KnownFlow[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const accounts = [...Map.groupBy(flows, ({ accountUserId }) => accountUserId).values()];
  const unlisted = await Promise.all(
    accounts.slice(0, MAX_ACCOUNTS).map((held) => findUnlisted(deps, held, signal)),
  );
  const lookups = unlisted.flat().slice(0, MAX_LOOKUPS);
  const deleted = await Promise.all(
    lookups.map(async (flow) => ((await isDeleted(deps, flow, signal)) ? [flow.id] : [])),
  );
  return new Set(deleted.flat());
}

/** Returns those flows of one account that its list lacks. Lists leave out example flows. */
async function findUnlisted(
  deps: FlowDeps,
  flows: readonly KnownFlow[],
  signal: AbortSignal,
): Promise<KnownFlow[]> {
  const [first] = flows;
  if (!first) return [];
  try {
    const listed = await withKeyOf(deps, first, signal, (key) =>
      deps.provider.flows.list(key, signal),
    );
    const ids = new Set(listed.map(({ id }) => id));
    return flows.filter(({ id }) => !ids.has(id));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function isDeleted(
  deps: FlowDeps,
  flow: KnownFlow,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await withKeyOf(deps, flow, signal, (key) =>
      deps.provider.flows.get(key, flow.id, signal),
    );
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof ApiError && error.code === "flow_not_found";
  }
}
