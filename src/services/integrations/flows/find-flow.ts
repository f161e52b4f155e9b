import type { Database } from "../../../platform/db/database.ts";
import { ApiError, NotFound } from "../../../platform/http/errors.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Provider } from "../providers/provider.ts";
import { findKnownFlow, type KnownFlow, noteFlows } from "./store.ts";

export interface FlowDeps {
  db: Database;
  provider: Provider;
  accounts: Accounts;
}

/** A user, and whether they use a key for flows, which runs only granted flows. */
export interface FlowUser {
  userId: string;
  byKey: boolean;
}

export interface FoundFlow {
  flow: KnownFlow;
  owned: boolean;
}

/**
 * The flow, if the user owns it or it was granted to them. This service stores the grants; the
 * provider only knows owners.
 * @throws NotFound `flow_not_found` alike for unknown flows and flows without access.
 */
export async function findFlow(
  deps: FlowDeps,
  { userId, byKey }: FlowUser,
  flowId: string,
  signal: AbortSignal,
): Promise<FoundFlow> {
  const { db, provider } = deps;
  const known = await findKnownFlow(db, provider.name, flowId, userId);
  const owned = known?.flow.ownerId === userId;
  if (known && (known.granted || (owned && !byKey)))
    return { flow: known.flow, owned: owned && !byKey };
  if (known || byKey) throw absent();
  const flow = await findInOwnAccount(deps, userId, flowId, signal);
  if (!flow) throw absent();
  return { flow, owned: true };
}

/** Works with the key of the account that holds the flow. */
export function withKeyOf<T>(
  { provider, accounts }: FlowDeps,
  { accountUserId }: KnownFlow,
  signal: AbortSignal,
  work: (key: string) => Promise<T>,
): Promise<T> {
  return accountUserId === null
    ? work(provider.flows.operatorKey)
    : accounts.withKey(provider, accountUserId, signal, work);
}

/** A flow that was created in the user's account other than through this service. */
async function findInOwnAccount(
  { db, provider, accounts }: FlowDeps,
  userId: string,
  flowId: string,
  signal: AbortSignal,
): Promise<KnownFlow | undefined> {
  const account = await accounts.findAccount(provider, userId, signal);
  if (!account) return undefined;
  return lookUp(
    () =>
      accounts.withKey(provider, userId, signal, (key) =>
        provider.flows.get(key, flowId, signal),
      ),
    (head) => noteFlows(db, provider.name, [head], userId),
    userId,
  );
}

/**
 * Finds a flow that can be granted: one that is stored here and still exists, or one in the
 * operator's own account.
 * @throws NotFound `flow_not_found`.
 */
export async function findGrantable(
  deps: FlowDeps,
  flowId: string,
  adminId: string,
  signal: AbortSignal,
): Promise<KnownFlow> {
  const { db, provider } = deps;
  const known = await findKnownFlow(db, provider.name, flowId, adminId);
  if (known) {
    const { flow } = known;
    const get = (key: string) => provider.flows.get(key, flowId, signal);
    const found = await unlessAbsent(() => withKeyOf(deps, flow, signal, get));
    if (!found) throw notGrantable();
    return flow;
  }
  const operators = await lookUp(
    () => provider.flows.get(provider.flows.operatorKey, flowId, signal),
    (head) => noteFlows(db, provider.name, [head], null),
    null,
  );
  const flow = operators ?? (await findInOwnAccount(deps, adminId, flowId, signal));
  if (!flow) throw notGrantable();
  return flow;
}

async function lookUp(
  get: () => ReturnType<Provider["flows"]["get"]>,
  note: (head: Awaited<ReturnType<typeof get>>) => Promise<void>,
  userId: string | null,
): Promise<KnownFlow | undefined> {
  const head = await unlessAbsent(get);
  if (!head) return undefined;
  await note(head);
  const { id, name, description, updatedAt } = head;
  return {
    id,
    name,
    description,
    updatedAt: updatedAt ? new Date(updatedAt) : null,
    accountUserId: userId,
    ownerId: userId,
  };
}

async function unlessAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function absent(): NotFound {
  return new NotFound(
    "flow_not_found",
    "There is no such flow that this user may run. GET /api/v1/flowengine/flows lists " +
      "those.",
  );
}

export function notGrantable(): NotFound {
  return new NotFound(
    "flow_not_found",
    "There is no such flow that you may grant. GET /api/v1/flowengine/admin/flows " +
      "lists those.",
  );
}
