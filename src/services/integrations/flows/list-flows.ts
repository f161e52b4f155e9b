import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { Flow, NewFlow } from "../contract-flows.ts";
import { type FlowDeps, findFlow, type FlowUser, withKeyOf } from "./find-flow.ts";
import { findKnownFlow, type KnownFlow, listReachable, noteFlows } from "./store.ts";
import { ApiError } from "../../../platform/http/errors.ts";

/**
 * Flows that the user may run: their own, then those granted to them. Flows that were deleted at
 * the provider are left out. No account is created.
 */
export async function listFlows(
  deps: FlowDeps,
  userId: string,
  page: PageQuery,
  signal: AbortSignal,
) {
  const { db, provider, accounts } = deps;
  const account = await accounts.findAccount(provider, userId, signal);
  const own = account
    ? await accounts.withKey(provider, userId, signal, (key) =>
        provider.flows.list(key, signal),
      )
    : [];
  await noteFlows(db, provider.name, own, userId);
  const reachable = await listReachable(db, provider.name, userId);
  const ids = new Set(own.map(({ id }) => id));
  const others = reachable.filter(
    ({ id, accountUserId }) => !ids.has(id) && accountUserId !== userId,
  );
  const deleted = await findDeletedFlows(deps, others, signal);
  const existing = others.filter(({ id }) => !deleted.has(id));
  const all: Flow[] = [
    ...own.map((flow) => ({ ...flow, owned: true })),
    ...existing.map((flow) => toFlow(flow, flow.ownerId === userId)),
  ];
  const from = offsetOf(page);
  return { items: all.slice(from, from + page.limit), ...page, total: all.length };
}

/** Creates a flow in the user's own account, and creates that account if there is none. */
export async function createFlow(
  deps: FlowDeps,
  userId: string,
  flow: NewFlow,
  signal: AbortSignal,
): Promise<Flow> {
  const { db, provider, accounts } = deps;
  const head = await accounts.withKey(provider, userId, signal, (key) =>
    provider.flows.create(key, flow, signal),
  );
  await noteFlows(db, provider.name, [head], userId);
  return { ...head, owned: true };
}

/** Returns the graph to its owner only, because it may contain prompts and secrets. */
export async function getFlow(
  deps: FlowDeps,
  user: FlowUser,
  flowId: string,
  signal: AbortSignal,
): Promise<Flow & { data?: unknown }> {
  const { flow, owned } = await findFlow(deps, user, flowId, signal);
  const { data, ...head } = await withKeyOf(deps, flow, signal, (key) =>
    deps.provider.flows.get(key, flowId, signal),
  );
  await noteFlows(deps.db, deps.provider.name, [head], flow.accountUserId);
  return { ...head, owned, ...(owned && { data }) };
}

/** Whether the user may still run it. */
export async function mayRun(
  { db, provider }: FlowDeps,
  userId: string,
  flowId: string,
): Promise<boolean> {
  const known = await findKnownFlow(db, provider.name, flowId, userId);
  return known !== undefined && (known.granted || known.flow.ownerId === userId);
}

function toFlow({ id, name, description, updatedAt }: KnownFlow, owned: boolean): Flow {
  return { id, name, description, updatedAt: updatedAt?.toISOString() ?? null, owned };
}

/** The number of accounts whose flows one request lists. */
const MAX_ACCOUNTS = 20;
/** The number of flows to look up one by one, because no list of their account has them. */
const MAX_LOOKUPS = 20;

/**
 * Returns the ids of flows that no longer exist at the provider. Flows of an account that cannot be
 * asked count as existing.
 */
async function findDeletedFlows(
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
