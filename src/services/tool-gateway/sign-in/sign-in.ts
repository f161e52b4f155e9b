import { createHash, randomBytes } from "node:crypto";
import { BadGateway, BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { cutText } from "../../../platform/cut-text.ts";
import type { ToolServer } from "../contract.ts";
import { type Challenge, joinScopes, readChallenge } from "./challenge.ts";
import {
  type AuthorizationServer,
  discoverAuthorizationServer,
  discoverResource,
} from "./discover.ts";
import { findClient, type OwnAddresses } from "./find-client.ts";
import type { Connection, PendingSignIn, SignInStore } from "./store.ts";
import { exchangeCode, refusalOf, type Tokens } from "./token-requests.ts";

export interface SignInDeps {
  store: SignInStore;
  outgoing: Outgoing;
  own: OwnAddresses;
}

/** What the way to the authorization server begins with. */
export interface Beginning {
  server: ToolServer;
  userId: string;
  /** Whether the tools of the server are to be read with this connection. */
  lists: boolean;
  /** What the server said when it refused; undefined: it is asked. */
  challenge: Challenge | undefined;
}

const MAX_WORDS = 300;

/**
 * Begins a sign-in at the authorization server of a tool server, by the authorization code grant
 * with PKCE. @returns the address for the user's browser.
 * @throws BadGateway `tool_sign_in_…`.
 */
export async function beginSignIn(
  deps: SignInDeps,
  { server, userId, lists, challenge: given }: Beginning,
  signal: AbortSignal,
): Promise<string> {
  const { store, outgoing, own } = deps;
  const asking = { outgoing, signal };
  const challenge = given ?? (await probe(outgoing, server, signal)) ?? {};
  const resource = await discoverResource(asking, server.url, challenge);
  const issuer = await discoverAuthorizationServer(asking, resource.issuer, server.url);
  const client = await findClient({ ...deps, signal }, server, issuer);
  const known = await store.find(server.name, userId);
  const isStepUp = known !== undefined && known.wantedScopes.length > 0;
  const wanted = server.oauth?.scopes ?? challenge.scopes ?? resource.scopes ?? [];
  const scopes = withOffline(issuer, joinScopes(wanted, earlierScopes(known, isStepUp)));
  const verifier = randomToken();
  const state = randomToken();
  const { tokenEndpoint, revocationEndpoint } = issuer;
  await store.begin(hashOf(state), {
    server: server.name,
    userId,
    url: server.url,
    issuer: issuer.issuer,
    sendsIssuer: issuer.sendsIssuer,
    source: {
      client,
      tokenEndpoint,
      ...(revocationEndpoint !== undefined && { revocationEndpoint }),
      resource: resource.resource,
    },
    verifier,
    redirectUri: own.redirectUri,
    scopes,
    lists,
    isStepUp,
  });
  const url = new URL(issuer.authorizationEndpoint);
  const params = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: own.redirectUri,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: resource.resource,
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    // OpenID Connect Core 1.0, section 11
    ...(scopes.includes(OFFLINE) && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

const OFFLINE = "offline_access";

/** Without it some servers give no token that renews the first one. */
function withOffline({ scopes }: AuthorizationServer, wanted: string[]): string[] {
  return scopes?.includes(OFFLINE) ? joinScopes(wanted, [OFFLINE]) : wanted;
}

/** A step up keeps the rights that there are. */
function earlierScopes(known: Connection | undefined, isStepUp: boolean): string[] {
  return known && isStepUp ? joinScopes(known.scopes, known.wantedScopes) : [];
}

/** Asks a server without a token, so that it says which sign-in it wants. */
async function probe(
  outgoing: Outgoing,
  { url }: ToolServer,
  signal: AbortSignal,
): Promise<Challenge | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const init = { method: "POST", headers, body: PROBE, signal: limit };
  try {
    const response = await outgoing.fetch(url, init);
    await response.body?.cancel();
    return readChallenge(response.headers.get("www-authenticate"));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BadRequest) throw error;
    return undefined; // its metadata may be reachable
  }
}

const PROBE_TIMEOUT_MS = 10_000;
const PROBE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** What the authorization server sends back with the user. */
export interface SignInAnswer {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  errorDescription?: string | undefined;
}

/**
 * Ends a sign-in that the same user began, and keeps the connection.
 * @throws NotFound `tool_sign_in_unknown_state`, BadRequest `tool_sign_in_wrong_issuer`,
 * `tool_sign_in_denied`, BadGateway `tool_sign_in_failed`.
 */
export async function completeSignIn(
  { store, outgoing }: SignInDeps,
  userId: string,
  { state, code, iss, error, errorDescription = "" }: SignInAnswer,
  signal: AbortSignal,
): Promise<PendingSignIn> {
  const pending = await store.take(hashOf(state), userId);
  if (!pending) throw unknownState();
  // before anything else of the answer is believed: RFC 9207, section 2.4
  if (iss === undefined ? pending.sendsIssuer : iss !== pending.issuer) throw wrongIssuer();
  if (error !== undefined || code === undefined) throw denied(error, errorDescription);
  const { source, verifier, redirectUri, server, issuer } = pending;
  try {
    const grant = { code, verifier, redirectUri };
    const tokens = await exchangeCode({ outgoing, signal }, source, grant);
    await keep(store, pending, tokens);
  } catch (failure) {
    // a registration that the server has forgotten is made again the next time
    if (refusalOf(failure) === "invalid_client") await store.removeClient(server, issuer);
    throw failure;
  }
  return pending;
}

async function keep(
  store: SignInStore,
  pending: PendingSignIn,
  { accessToken, refreshToken, expiresIn, scopes }: Tokens,
): Promise<void> {
  const { server, userId, url, source, lists, isStepUp } = pending;
  const before = await store.find(server, userId);
  await store.save({
    server,
    userId,
    url,
    grant: { ...source, accessToken, ...(refreshToken && { refreshToken }) },
    scopes: joinScopes(pending.scopes, scopes ?? []),
    wantedScopes: [],
    stepUps: isStepUp ? (before?.stepUps ?? 0) + 1 : 0,
    lists,
    expiresAt: expiryOf(expiresIn),
  });
}

export function expiryOf(expiresIn: number | undefined): Date | undefined {
  // beyond a year it is no limit, and might be no date
  const seconds = Math.min(expiresIn ?? 0, 366 * 24 * 3_600);
  return seconds > 0 ? new Date(Date.now() + seconds * 1_000) : undefined;
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function unknownState(): NotFound {
  return new NotFound(
    "tool_sign_in_unknown_state",
    "This sign-in was not begun by you, has ended, or is older than ten minutes. Connect again.",
  );
}

function wrongIssuer(): BadRequest {
  return new BadRequest(
    "tool_sign_in_wrong_issuer",
    "Another server answered than the one that was asked. Nothing was stored. Connect again, or " +
      "ask the operator of the tool server.",
  );
}

function denied(error = "no_code", description: string): BadGateway | BadRequest {
  const reason = /^[a-z_]{1,60}$/.test(error) ? error : "unknown";
  return new BadRequest(
    "tool_sign_in_denied",
    `The sign-in was not granted (${reason}). Connect again if you want to use its tools.`,
    { params: { reason }, details: cutText(description, MAX_WORDS) || undefined },
  );
}
