import * as oidc from "openid-client";
import type { Cache } from "../../../platform/cache/cache.ts";
import { BadRequest, Unauthorized } from "../../../platform/http/errors.ts";
import { StorableId } from "../../../platform/http/bounds.ts";
import { Email } from "../contract-subjects.ts";
import type { StoredUser } from "../identity/users-store.ts";
import type { SessionDeps } from "../identity/sessions.ts";
import { type Person, resolveUser } from "./link-identity.ts";
import type { DiscoveredProvider, OidcProvider } from "./providers.ts";
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
 * @throws Unauthorized `oidc_refused`, and what `resolveUser` throws.
 */
export async function finishSignIn(
  deps: Deps,
  provider: DiscoveredProvider,
  pending: PendingSignIn,
  query: Record<string, unknown>,
): Promise<StoredUser> {
  const { settings, discovered } = provider;
  const callback = new URL(callbackUrl(deps.publicUrl, settings.name));
  for (const [name, value] of Object.entries(query))
    callback.searchParams.set(name, String(value));
  try {
    const tokens = await oidc.authorizationCodeGrant(discovered, callback, {
      pkceCodeVerifier: pending.codeVerifier,
      expectedState: String(query["state"]),
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error("the identity provider sent no ID token");
    if (!Subject.safeParse(claims.sub).success)
      throw signInRefused(settings, new Error("the subject of the ID token is invalid"));
    const extraClaims =
      claims["email"] === undefined && discovered.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(discovered, tokens.access_token, claims.sub)
        : {};
    return await resolveUser(
      deps,
      settings,
      toPerson(settings, { ...extraClaims, ...claims }),
    );
  } catch (error) {
    if (
      error instanceof oidc.ClientError ||
      error instanceof oidc.AuthorizationResponseError ||
      error instanceof oidc.ResponseBodyError
    )
      throw signInRefused(settings, error);
    throw error;
  }
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
