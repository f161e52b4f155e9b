import * as oidc from "openid-client";
import { sealedCache } from "../../../../platform/auth/sealed-cache.ts";
import { isRecord } from "../../../../platform/json/is-record.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import { ApiError, BadRequest, Unauthorized } from "../../../../platform/http/errors.ts";
import { StorableId } from "../../../../platform/http/bounds.ts";
import { hashToken } from "../../../../platform/auth/secrets.ts";
import { Email } from "../../contract-subjects.ts";
import type { StoredUser } from "../../accounts/users-store.ts";
import type { ProviderSession, SessionDeps } from "../sessions.ts";
import { isRecent } from "../confirmation.ts";
import { type Person, resolveUser } from "./link-identity.ts";
import { type DiscoveredProvider, type OidcProvider, unreachable } from "./providers.ts";
import { callbackUrl, type PendingSignIn, SIGN_IN_LIFETIME_MS } from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  publicUrl: string;
  confirmationMs: number;
}

export interface SignedIn {
  user: StoredUser;
  /** Whether the person proved who they are just now, and was not still signed in there. */
  isConfirmed: boolean;
  /** The session there. */
  cameFrom: ProviderSession | undefined;
}

/** Takes the pending sign-in of this browser, once. @throws BadRequest `sign_in_expired`. */
export async function takePendingSignIn(
  { cache, encryptionKey }: { cache: Cache; encryptionKey: string },
  provider: string,
  state = "",
  browser = "",
): Promise<PendingSignIn> {
  const sealed = sealedCache(cache, encryptionKey);
  const pending = await sealed.get<PendingSignIn>(`oidc:${state}`);
  const isOurs =
    pending?.provider === provider && pending.browserHash === hashToken(browser);
  if (
    !pending ||
    !isOurs ||
    !(await cache.add(`oidc-used:${state}`, "1", SIGN_IN_LIFETIME_MS, pending.origin))
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
): Promise<SignedIn> {
  const { settings } = provider;
  const callback = new URL(callbackUrl(deps.publicUrl, settings.name));
  for (const [name, value] of Object.entries(query))
    callback.searchParams.set(name, String(value));
  const claims = await askForClaims(provider, pending, callback).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    const isAnswer = ANSWERS.some((kind) => error instanceof kind);
    throw isAnswer ? signInRefused(settings, error) : unreachable(settings, error);
  });
  const isConfirmed = provedIdentity(deps, settings, pending, claims["auth_time"]);
  const person = toPerson(settings, claims);
  return {
    user: await resolveUser(deps, settings, person),
    isConfirmed,
    cameFrom: { provider: settings.name, id: person.session },
  };
}

/**
 * A provider that does not say when the person signed in is believed to have asked again, if
 * the sign-in started so.
 * @throws Unauthorized `sign_in_not_fresh`.
 */
function provedIdentity(
  { confirmationMs }: Deps,
  { name }: OidcProvider,
  { isFresh = false }: PendingSignIn,
  authTime: unknown,
): boolean {
  if (typeof authTime !== "number") return isFresh;
  const isConfirmed = isRecent(authTime, confirmationMs);
  if (isFresh && !isConfirmed)
    throw new Unauthorized(
      "sign_in_not_fresh",
      `"${name}" did not ask you to sign in again. Sign out there, then sign in again.`,
      { params: { name } },
    );
  return isConfirmed;
}

/** How the library reports an answer of the provider. Its other errors are those of the network. */
const ANSWERS = [
  oidc.ClientError,
  oidc.AuthorizationResponseError,
  oidc.ResponseBodyError,
  oidc.WWWAuthenticateChallengeError,
];

/**
 * Exchanges the code. What the ID token leaves out stands in the answer of the userinfo endpoint
 * (OpenID Connect Core 1.0, 5.4). If that fails, the claims of the token are enough unless they
 * lack the email.
 */
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
  const isWhole = [settings.groupsClaim, "email", "email_verified", "name"].every(
    (name) => claimAt(claims, name) !== undefined,
  );
  if (isWhole || !discovered.serverMetadata().userinfo_endpoint) return { ...claims };
  const info = oidc.fetchUserInfo(discovered, tokens.access_token, claims.sub);
  const extraClaims = await info.catch((error: unknown) => {
    if (claims["email"] === undefined) throw error;
    return {};
  });
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
  const { data: email } = Email.safeParse(claims["email"]);
  return {
    issuer: text("iss") ?? "",
    subject: text("sub") ?? "",
    session: StorableId.safeParse(claims["sid"]).data,
    email,
    // Entra: the owner of the email's domain is verified
    emailVerified:
      trustEmail || isTrue(claims["email_verified"]) || isTrue(claims["xms_edov"]),
    name: text("name") ?? text("preferred_username") ?? email?.split("@")[0] ?? "",
    groups: hasTooManyGroups(claims, groupsClaim)
      ? undefined
      : readGroups(claimAt(claims, groupsClaim)),
  };
}

/** Some providers write booleans as text or as numbers. */
function isTrue(value: unknown): boolean {
  return [true, "true", "True", 1, "1"].includes(value as boolean);
}

/** A claim by its name, or by a path to one inside others, such as `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (name in claims) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/**
 * A person with too many groups for a token: Entra names another place for them, or says only that
 * there are some.
 */
function hasTooManyGroups(claims: Record<string, unknown>, groupsClaim: string): boolean {
  const elsewhere = claims["_claim_names"];
  const isElsewhere = isRecord(elsewhere) && Object.hasOwn(elsewhere, groupsClaim);
  return isElsewhere || isTrue(claims["hasgroups"]);
}

/** A list of names or of objects with one, or text with names between commas or spaces. */
function readGroups(claim: unknown): string[] {
  const all = typeof claim === "string" ? claim.split(/[,\s]+/) : claim;
  if (!Array.isArray(all)) return [];
  return all
    .map((group) => (isRecord(group) ? (group["name"] ?? group["value"]) : group))
    .filter((group) => StorableId.safeParse(group).success)
    .slice(0, 1_000);
}
