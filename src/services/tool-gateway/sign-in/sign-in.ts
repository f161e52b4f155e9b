import { createHash } from "node:crypto";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import { BadGateway, BadRequest, NotFound } from "../../../platform/http/errors.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import type { ToolServer } from "../contract.ts";
import { type Challenge, joinScopes, readChallenge } from "./challenge.ts";
import {
  type AuthorizationServer,
  discoverAuthorizationServer,
  discoverResource,
} from "./discover.ts";
import { findClient, type OwnAddresses } from "./find-client.ts";
import type { Connection, PendingSignIn, SignInStore } from "./store.ts";
import { asking as withReach, type Asking, type Reach } from "./reach.ts";
import {
  exchangeCode,
  refusalOf,
  revokeTokens,
  type Tokens,
  type TokenSource,
} from "./token-requests.ts";

export interface SignInDeps {
  store: SignInStore;
  reach: Reach;
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
export function beginSignIn(
  deps: SignInDeps,
  beginning: Beginning,
  signal: AbortSignal,
): Promise<string> {
  const { url, oauth } = beginning.server;
  const named = { url, issuer: oauth?.issuer };
  return withReach(deps.reach, named, signal, (asking) => begin(deps, beginning, asking));
}

async function begin(
  { store, own }: SignInDeps,
  { server, userId, lists, challenge: given }: Beginning,
  asking: Asking,
): Promise<string> {
  const challenge = given ?? (await probe(asking)) ?? {};
  const resource = await discoverResource(asking, challenge);
  const issuer = await discoverAuthorizationServer(asking, resource.issuer);
  const client = await findClient({ store, own, asking }, server, issuer);
  const { redirectUri } = own.at(issuer.issuer);
  const known = await store.find(server.name, userId);
  const isStepUp = known !== undefined && known.wantedScopes.length > 0;
  const wanted = server.oauth?.scopes ?? challenge.scopes ?? resource.scopes ?? [];
  const scopes = withOffline(issuer, joinScopes(wanted, earlierScopes(known, isStepUp)));
  const verifier = randomToken();
  const state = randomToken();
  const { tokenEndpoint, revocationEndpoint } = issuer;
  await store.begin(hashToken(state, "hex"), {
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
      ...(server.oauth?.issuer !== undefined && { namedIssuer: server.oauth.issuer }),
    },
    verifier,
    redirectUri,
    scopes,
    lists,
    isStepUp,
  });
  const url = new URL(issuer.authorizationEndpoint);
  const params = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
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
async function probe({
  outgoing,
  serverUrl,
  signal,
}: Asking): Promise<Challenge | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const init = { method: "POST", headers, body: PROBE, signal: limit };
  try {
    const response = await outgoing.fetch(serverUrl, init);
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
  /** The last part of the address that the browser came back to. */
  callback?: string | undefined;
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
  { store, reach }: SignInDeps,
  { userId, mayList }: { userId: string; mayList: boolean },
  { state, callback = "", code, iss, error, errorDescription = "" }: SignInAnswer,
  signal: AbortSignal,
): Promise<PendingSignIn> {
  const stateHash = hashToken(state, "hex");
  const pending = await store.take(stateHash, userId);
  if (!pending) throw unknownState();
  // before anything else of the answer is believed: RFC 9207, section 2.4
  if (iss === undefined ? pending.sendsIssuer : iss !== pending.issuer) throw wrongIssuer();
  // the answer of another issuer came to another address: RFC 9700, section 4.4
  if (callback !== pending.redirectUri.split("/").at(-1)) throw wrongIssuer();
  if (error !== undefined || code === undefined) throw denied(error, errorDescription);
  const { source, verifier, redirectUri, server, url, issuer } = pending;
  const named = { url, issuer: source.namedIssuer };
  await withReach(reach, named, signal, async (asking) => {
    try {
      const tokens = await exchangeCode(asking, source, { code, verifier, redirectUri });
      const lists = pending.lists && mayList;
      if (!(await keep(store, stateHash, { ...pending, lists }, tokens))) {
        await end(asking, source, tokens);
        throw unknownState();
      }
    } catch (failure) {
      // a registration that the server has forgotten is made again the next time
      if (refusalOf(failure) === "invalid_client") await store.removeClient(server, issuer);
      throw failure;
    }
  });
  return pending;
}

/** Ends tokens of a user who was deleted meanwhile. */
async function end(asking: Asking, source: TokenSource, tokens: Tokens): Promise<void> {
  const { accessToken, refreshToken = accessToken } = tokens;
  // nobody keeps them; a server that does not end them lets them expire
  await revokeTokens(asking, source, refreshToken).catch(() => {});
}

/** @returns whether it is kept: not where the sign-in was forgotten meanwhile. */
async function keep(
  store: SignInStore,
  stateHash: string,
  pending: PendingSignIn,
  { accessToken, refreshToken, expiresIn, scopes }: Tokens,
): Promise<boolean> {
  const { server, userId, url, source, lists, isStepUp } = pending;
  const before = await store.find(server, userId);
  return store.save(stateHash, {
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
    { params: { reason }, details: shortenText(description, MAX_WORDS) || undefined },
  );
}
