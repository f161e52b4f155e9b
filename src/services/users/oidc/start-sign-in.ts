import { createHash, randomBytes } from "node:crypto";
import * as oidc from "openid-client";
import type { Cache } from "../../../platform/cache/cache.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { DiscoveredProvider } from "./providers.ts";

/** How long a person may take at the provider. */
export const SIGN_IN_MS = 10 * 60_000;

/** What is remembered between the way there and the way back. */
export interface PendingSignIn {
  provider: string;
  codeVerifier: string;
  nonce: string;
  /**
   * Of the cookie of the browser that began, so that nobody can finish a sign-in in another's
   * browser.
   */
  browserHash: string;
  returnTo?: string;
}

/** @returns where to send the browser, and the value of the cookie that it must bring back. */
export async function startSignIn(
  { cache, publicUrl }: { cache: Cache; publicUrl: string },
  { settings, discovered }: DiscoveredProvider,
  returnTo: string | undefined,
): Promise<{ url: URL; browser: string }> {
  if (returnTo !== undefined && !isOwnPath(returnTo, publicUrl))
    throw new BadRequest(
      "return_to_foreign",
      'returnTo must be a path of this server, such as "/chat".',
    );
  const [state, browser, codeVerifier, nonce] = [
    random(),
    random(),
    oidc.randomPKCECodeVerifier(),
    oidc.randomNonce(),
  ];
  const pending: PendingSignIn = {
    provider: settings.name,
    codeVerifier,
    nonce,
    browserHash: hash(browser),
    ...(returnTo !== undefined && { returnTo }),
  };
  await cache.set(`oidc:${state}`, JSON.stringify(pending), SIGN_IN_MS);
  const url = oidc.buildAuthorizationUrl(discovered, {
    redirect_uri: callbackUrl(publicUrl, settings.name),
    scope: settings.scopes.join(" "),
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  return { url, browser };
}

export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}/api/v1/auth/oidc/${provider}/callback`;
}

export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function random(): string {
  return randomBytes(32).toString("base64url");
}

function isOwnPath(path: string, publicUrl: string): boolean {
  return (
    /^\/(?![/\\])/.test(path) &&
    URL.canParse(path, publicUrl) &&
    new URL(path, publicUrl).origin === new URL(publicUrl).origin
  );
}
