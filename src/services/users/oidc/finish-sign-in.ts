import * as oidc from "openid-client";
import type { Cache } from "../../../platform/cache/cache.ts";
import { BadRequest, Unauthorized } from "../../../platform/http/errors.ts";
import type { StoredUser } from "../identity/users-store.ts";
import type { SessionDeps } from "../identity/sessions.ts";
import { type Person, userOf } from "./link-identity.ts";
import type { DiscoveredProvider, OidcProvider } from "./providers.ts";
import { callbackUrl, hash, type PendingSignIn, SIGN_IN_MS } from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  publicUrl: string;
}

/** The sign-in that this browser began, once. @throws BadRequest `sign_in_expired`. */
export async function takePending(
  cache: Cache,
  provider: string,
  state = "",
  browser = "",
): Promise<PendingSignIn> {
  const stored = await cache.get(`oidc:${state}`);
  const pending = stored === null ? undefined : (JSON.parse(stored) as PendingSignIn); // as `startSignIn` wrote it
  const ours = pending?.provider === provider && pending.browserHash === hash(browser);
  if (!pending || !ours || !(await cache.add(`oidc-used:${state}`, "1", SIGN_IN_MS)))
    throw new BadRequest(
      "sign_in_expired",
      "This sign-in was not begun in this browser, took too long or was used before. Begin again.",
    );
  await cache.delete(`oidc:${state}`);
  return pending;
}

/**
 * Whom the provider sent back. State, nonce, PKCE, issuer, audience, signature and times are
 * checked.
 * @throws Unauthorized `oidc_refused`, and what `userOf` throws.
 */
export async function finishSignIn(
  deps: Deps,
  provider: DiscoveredProvider,
  pending: PendingSignIn,
  query: Record<string, unknown>,
): Promise<StoredUser> {
  const { settings, discovered } = provider;
  const back = new URL(callbackUrl(deps.publicUrl, settings.name));
  for (const [name, value] of Object.entries(query)) back.searchParams.set(name, String(value));
  try {
    const tokens = await oidc.authorizationCodeGrant(discovered, back, {
      pkceCodeVerifier: pending.codeVerifier,
      expectedState: String(query["state"]),
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error("there is no ID token");
    const more =
      claims["email"] === undefined && discovered.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(discovered, tokens.access_token, claims.sub)
        : {};
    return await userOf(deps, settings, personIn(settings, { ...more, ...claims }));
  } catch (error) {
    if (
      error instanceof oidc.ClientError ||
      error instanceof oidc.AuthorizationResponseError ||
      error instanceof oidc.ResponseBodyError
    )
      throw refused(settings, error);
    throw error;
  }
}

function refused({ name }: OidcProvider, cause: unknown): Unauthorized {
  return new Unauthorized(
    "oidc_refused",
    `The sign-in at "${name}" was refused or its answer is not valid. Begin again.`,
    {
      cause,
    },
  );
}

function personIn(
  { groupsClaim, trustEmail }: OidcProvider,
  claims: Record<string, unknown>,
): Person {
  const text = (name: string) => (typeof claims[name] === "string" ? claims[name] : undefined);
  const groups = claims[groupsClaim];
  const email = text("email")?.toLowerCase();
  return {
    issuer: text("iss") ?? "",
    subject: text("sub") ?? "",
    email,
    emailVerified: trustEmail || claims["email_verified"] === true,
    name: text("name") ?? text("preferred_username") ?? email?.split("@")[0] ?? "",
    groups: Array.isArray(groups)
      ? groups.filter((group) => typeof group === "string").slice(0, 1_000)
      : [],
  };
}
