import * as oidc from "openid-client";
import type { Cache } from "../../../platform/cache/cache.ts";
import { ApiError, BadRequest, Unauthorized } from "../../../platform/http/errors.ts";
import { StorableId } from "../../../platform/http/bounds.ts";
import { Email } from "../contract-subjects.ts";
import type { StoredUser } from "../identity/users-store.ts";
import type { SessionDeps } from "../identity/sessions.ts";
import { type Person, resolveUser } from "./link-identity.ts";
import { type DiscoveredProvider, type OidcProvider, unreachable } from "./providers.ts";
import {
  callbackUrl,
  hash,
  type PendingSignIn,
  SIGN_IN_LIFETIME_MS,
} from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  publicUrl: string;
}

/** Takes the pending sign-in of this browser, once. @throws BadRequest `sign_in_expired`. */
export async function takePendingSignIn(
  cache: Cache,
  provider: string,
  state = "",
  browser = "",
): Promise<PendingSignIn> {
  const stored = await cache.get(`oidc:${state}`);
  // `startSignIn` wrote it
  const pending = stored === null ? undefined : (JSON.parse(stored) as PendingSignIn);
  const isOurs = pending?.provider === provider && pending.browserHash === hash(browser);
  if (
    !pending ||
    !isOurs ||
    !(await cache.add(`oidc-used:${state}`, "1", SIGN_IN_LIFETIME_MS))
  )
    throw new BadRequest(
      "sign_in_expired",
      "This sign-in started in another browser, took too long or was used before. Start again.",
    );
  await cache.delete(`oidc:${state}`);
  return pending;
}

/**
 * Finds the user who returns from the provider. Checks state, nonce, PKCE, issuer, audience,
 * signature and times.
 * @throws Unauthorized `oidc_refused`, BadGateway `oidc_provider_unreachable`, and what
 * `resolveUser` throws.
 */
export async function finishSignIn(
  deps: Deps,
  provider: DiscoveredProvider,
  pending: PendingSignIn,
  query: Record<string, unknown>,
): Promise<StoredUser> {
  const { settings } = provider;
  const callback = new URL(callbackUrl(deps.publicUrl, settings.name));
  for (const [name, value] of Object.entries(query))
    callback.searchParams.set(name, String(value));
  const claims = await askForClaims(provider, pending, callback).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    const isAnswer = ANSWERS.some((kind) => error instanceof kind);
    throw isAnswer ? signInRefused(settings, error) : unreachable(settings, error);
  });
  return resolveUser(deps, settings, toPerson(settings, claims));
}

/** How the library reports an answer of the provider. Its other errors are those of the network. */
const ANSWERS = [
  oidc.ClientError,
  oidc.AuthorizationResponseError,
  oidc.ResponseBodyError,
  oidc.WWWAuthenticateChallengeError,
];

/** Exchanges the code. The email is asked for where the ID token has none. */
async function askForClaims(
  { settings, discovered }: DiscoveredProvider,
  pending: PendingSignIn,
  callback: URL,
): Promise<Record<string, unknown>> {
  const tokens = await oidc.authorizationCodeGrant(discovered, callback, {
    pkceCodeVerifier: pending.codeVerifier,
    expectedState: callback.searchParams.get("state") ?? "",
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!Subject.safeParse(claims?.sub).success || !claims)
    throw signInRefused(settings, new Error("there is no ID token with a valid subject"));
  const extraClaims =
    claims["email"] === undefined && discovered.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(discovered, tokens.access_token, claims.sub)
      : {};
  return { ...extraClaims, ...claims };
}

/** At most as long as OpenID Connect Core 1.0 permits (section 2). */
const Subject = StorableId.max(255);

function signInRefused({ name }: OidcProvider, cause: unknown): Unauthorized {
  return new Unauthorized(
    "oidc_refused",
    `"${name}" refused the sign-in or sent an invalid response. Sign in again.`,
    {
      cause,
    },
  );
}

function toPerson(
  { groupsClaim, trustEmail }: OidcProvider,
  claims: Record<string, unknown>,
): Person {
  const text = (name: string) =>
    typeof claims[name] === "string" ? claims[name] : undefined;
  const groups = claims[groupsClaim];
  const { data: email } = Email.safeParse(claims["email"]);
  return {
    issuer: text("iss") ?? "",
    subject: text("sub") ?? "",
    email,
    emailVerified: trustEmail || claims["email_verified"] === true,
    name: text("name") ?? text("preferred_username") ?? email?.split("@")[0] ?? "",
    groups: Array.isArray(groups)
      ? groups.filter((group) => StorableId.safeParse(group).success).slice(0, 1_000)
      : [],
  };
}
