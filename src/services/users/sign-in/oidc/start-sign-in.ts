import { hashToken, randomToken } from "../../../../platform/auth/secrets.ts";
import { sealedCache } from "../../../../platform/auth/sealed-cache.ts";
import * as oidc from "openid-client";
import type { Cache } from "../../../../platform/cache/cache.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import { blockOf } from "../limit-guesses.ts";
import type { DiscoveredProvider } from "./providers.ts";

/** The time to finish a sign-in at the provider. */
export const SIGN_IN_LIFETIME_MS = 10 * 60_000;

/** What the service remembers between the redirect to the provider and its callback. */
export interface PendingSignIn {
  provider: string;
  codeVerifier: string;
  nonce: string;
  /** Hash of a cookie of the browser that started, so that no other browser can finish. */
  browserHash: string;
  returnTo?: string;
  /** The network that it came from. */
  origin?: string;
  /** The provider was asked to have the person prove who they are again. */
  isFresh?: boolean;
}

/** @returns the URL to redirect to, and the value of the cookie that the callback must carry. */
export async function startSignIn(
  {
    cache,
    encryptionKey,
    publicUrl,
  }: { cache: Cache; encryptionKey: string; publicUrl: string },
  { settings, discovered }: DiscoveredProvider,
  { returnTo, fresh }: { returnTo?: string | undefined; fresh?: boolean | undefined },
  peer: string,
): Promise<{ url: URL; browser: string }> {
  if (returnTo !== undefined && !isOwnPath(returnTo, publicUrl))
    throw new BadRequest(
      "return_to_foreign",
      'returnTo must be a path of this server, such as "/chat".',
    );
  const [state, browser, codeVerifier, nonce] = [
    randomToken(),
    randomToken(),
    oidc.randomPKCECodeVerifier(),
    oidc.randomNonce(),
  ];
  const pending: PendingSignIn = {
    provider: settings.name,
    codeVerifier,
    nonce,
    browserHash: hashToken(browser),
    origin: blockOf(peer),
    ...(returnTo !== undefined && { returnTo }),
    ...(fresh && { isFresh: true }),
  };
  await sealedCache(cache, encryptionKey).set(
    `oidc:${state}`,
    pending,
    SIGN_IN_LIFETIME_MS,
    blockOf(peer),
  );
  const url = oidc.buildAuthorizationUrl(discovered, {
    redirect_uri: callbackUrl(publicUrl, settings.name),
    scope: settings.scopes.join(" "),
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
    nonce,
    // OpenID Connect Core 1.0, 3.1.2.1; with max_age the ID token has auth_time
    ...(fresh && { prompt: "login", max_age: "0" }),
  });
  return { url, browser };
}

export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}/api/v1/auth/oidc/${provider}/callback`;
}

function isOwnPath(path: string, publicUrl: string): boolean {
  return (
    /^\/(?![/\\])/.test(path) &&
    URL.canParse(path, publicUrl) &&
    new URL(path, publicUrl).origin === new URL(publicUrl).origin
  );
}
