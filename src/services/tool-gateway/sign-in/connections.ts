import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import { NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import { type PageQuery, slicePage } from "../../../platform/http/page.ts";
import type { Leases } from "../../../platform/lease/leases.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { ToolConnection } from "../contract-connections.ts";
import type { Gateway } from "../gateway.ts";
import type { Session } from "../session.ts";
import type { FilledValues, UserValues } from "../user-values/store.ts";
import {
  beginSignIn,
  completeSignIn,
  type SignInAnswer,
  type SignInDeps,
} from "./sign-in.ts";
import { whileNotRenewed } from "./credential.ts";
import { asking } from "./reach.ts";
import type { Connection } from "./store.ts";
import { revokeTokens } from "./token-requests.ts";

export interface ConnectionsDeps extends SignInDeps {
  gateway: Pick<Gateway, "sessions" | "session">;
  values: UserValues;
  cache: Pick<Cache, "take">;
  log: Logger;
  leases: Leases;
  /** Announces to all replicas that the account changed by which the tools of a server are read. */
  announce: (server: string) => Promise<void>;
}

const REVOKE_TIMEOUT_MS = 5_000;
/** Each asks servers elsewhere a few times. */
const BEGIN_LIMIT: Limit = { name: "tool-sign-in", points: 30, durationMs: 10 * 60_000 };

/** One page of the servers that want the user's account, or values of theirs in headers. */
export async function listConnections(
  { gateway, store, values }: Pick<ConnectionsDeps, "gateway" | "store" | "values">,
  userId: string,
  query: PageQuery & { query?: string | undefined },
) {
  const [connections, filled] = await Promise.all([
    store.listOf(userId),
    values.listOf(userId),
  ]);
  const words = query.query?.trim().toLowerCase() ?? "";
  const shown = gateway
    .sessions()
    .filter(({ server }) => server.name.toLowerCase().includes(words))
    .flatMap((session) => {
      const isOf = (one: { server: string; url: string }) =>
        one.server === session.server.name && one.url === session.server.url;
      const own = { account: connections.find(isOf), filled: filled.find(isOf) };
      const { isWanted, personal } = session.signIn;
      const asksUser = isWanted || (personal !== undefined && personal.secrets.length > 0);
      return asksUser || own.account || own.filled ? [toShown(session, own)] : [];
    });
  return slicePage(query, shown);
}

interface Own {
  account: Connection | undefined;
  filled: FilledValues | undefined;
}

function toShown({ server, signIn }: Session, { account, filled }: Own): ToolConnection {
  const secrets = signIn.personal?.secrets ?? [];
  const values = secrets.map((name) => ({
    name,
    isSet: filled?.values[name] !== undefined,
  }));
  const isFilled = values.every(({ isSet }) => isSet);
  const ofAccount = account ? stateOf(account) : signIn.isWanted ? "none" : "connected";
  const connectedAt = account?.connectedAt ?? (isFilled ? filled?.filledAt : undefined);
  return {
    server: server.name,
    state: isFilled ? ofAccount : "none",
    connectedAt: connectedAt?.toISOString() ?? null,
    scopes: account?.scopes ?? [],
    wantedScopes: account?.wantedScopes ?? [],
    lists: account?.lists === true || filled?.lists === true,
    values,
  };
}

function stateOf({ grant, wantedScopes }: Connection): ToolConnection["state"] {
  if (!grant) return "expired";
  return wantedScopes.length > 0 ? "incomplete" : "connected";
}

/**
 * @throws NotFound `tool_server_not_found`, TooManyRequests `tool_sign_in_limited`, BadGateway
 * `tool_sign_in_…`.
 */
export async function connectAccount(
  deps: ConnectionsDeps,
  { server, userId, lists }: { server: string; userId: string; lists: boolean },
  signal: AbortSignal,
): Promise<{ url: string }> {
  const session = deps.gateway.session(server);
  if (!session) throw notFound(server);
  await takeOrRefuse(deps.cache, BEGIN_LIMIT, userId, limited);
  const { challenge } = session.signIn;
  const beginning = { server: session.server, userId, lists, challenge };
  return { url: await beginSignIn(deps, beginning, signal) };
}

/** @throws what `completeSignIn` throws. */
export async function completeConnection(
  deps: ConnectionsDeps,
  caller: { userId: string; mayList: boolean },
  answer: SignInAnswer,
  signal: AbortSignal,
): Promise<{ server: string }> {
  const { server } = await completeSignIn(deps, caller, answer, signal);
  await deps.announce(server);
  return { server };
}

/**
 * Forgets the account, and what was filled in. The tokens are ended at their server, which may have
 * gone.
 */
export async function disconnectAccount(
  { store, values, reach, log, leases, announce }: ConnectionsDeps,
  of: { server: string; userId: string },
): Promise<void> {
  // a renewal that runs would leave tokens that nobody ends
  const found = await whileNotRenewed(leases, of, async () => {
    const current = await store.find(of.server, of.userId);
    await store.remove(of);
    return current;
  });
  const filled = await values.find(of.server, of.userId);
  await values.remove(of.server, of.userId);
  if (found?.lists || filled?.lists) await announce(of.server);
  const { grant, url = "" } = found ?? {};
  if (!grant) return;
  const named = { url, issuer: grant.namedIssuer };
  const signal = AbortSignal.timeout(REVOKE_TIMEOUT_MS);
  await asking(reach, named, signal, (one) =>
    revokeTokens(one, grant, grant.refreshToken ?? grant.accessToken),
  ).catch((error: unknown) =>
    log.info(
      { err: error, server: of.server },
      "tokens could not be ended at their server",
    ),
  );
}

function limited(retryAfterMs: number): TooManyRequests {
  const max = BEGIN_LIMIT.points;
  return new TooManyRequests(
    "tool_sign_in_limited",
    `You may begin to connect ${max} times in ten minutes. Try again later.`,
    retryAfterMs,
    { params: { max } },
  );
}

function notFound(server: string): NotFound {
  return new NotFound(
    "tool_server_not_found",
    `There is no tool server "${server}" in use. GET /api/v1/tool-connections lists those that ` +
      "sign users in.",
    { params: { name: server } },
  );
}
