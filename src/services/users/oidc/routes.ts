import type { Cache } from "../../../platform/cache/cache.ts";
import { ApiError, Unauthorized } from "../../../platform/http/errors.ts";
import { slicePage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { oidcContract as contract } from "../contract-oidc.ts";
import { type SessionDeps, startSession } from "../identity/sessions.ts";
import { userAgentOf } from "../sessions/user-agent.ts";
import { findUser, type StoredUser } from "../identity/users-store.ts";
import { finishSignIn, takePendingSignIn } from "./finish-sign-in.ts";
import type { Providers } from "./providers.ts";
import { hash, randomToken, SIGN_IN_LIFETIME_MS, startSignIn } from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  publicUrl: string;
  providers: Providers;
}

const COOKIE = "parlance_sign_in";
const CODE_LIFETIME_MS = 60_000;

export function oidcRoutes(routes: Routes, deps: Deps): void {
  const { cache, providers, publicUrl } = deps;
  routes
    .on(contract.listProviders, ({ query }) => {
      const items = providers.all.map(({ name, displayName = name }) => ({
        name,
        displayName,
        url: `/api/v1/auth/oidc/${name}`,
      }));
      return slicePage(query, items);
    })
    .on(contract.startSignIn, async ({ params, query }) => {
      const { url, browser } = await startSignIn(
        deps,
        await providers.find(params.provider),
        query.returnTo,
      );
      return redirect(url.href, {
        "set-cookie": toCookie(browser, SIGN_IN_LIFETIME_MS, publicUrl),
      });
    })
    .on(contract.finishSignIn, async ({ params, query, request, log }) => {
      const provider = await providers.find(params.provider);
      const pending = await takePendingSignIn(
        cache,
        params.provider,
        query.state,
        readCookie(request),
      );
      try {
        const user = await finishSignIn(deps, provider, pending, query);
        if (pending.returnTo === undefined)
          return await startSession(deps, user, userAgentOf(request));
        const code = randomToken();
        await cache.set(`oidc-code:${hash(code)}`, user.id, CODE_LIFETIME_MS);
        return redirectBack(publicUrl, pending.returnTo, { code });
      } catch (error) {
        if (pending.returnTo === undefined || !(error instanceof ApiError)) throw error;
        log.warn(
          { err: error, provider: params.provider },
          "sign-in at an identity provider failed",
        );
        return redirectBack(publicUrl, pending.returnTo, { error: error.code });
      }
    })
    .on(contract.exchange, async ({ body, request }) =>
      startSession(deps, await redeemCode(deps, body.code), userAgentOf(request)),
    );
}

/**
 * The user who came back from an identity provider with this code; it works once.
 * @throws Unauthorized `code_invalid`.
 */
export async function redeemCode(
  deps: Pick<Deps, "cache" | "db">,
  code: string,
): Promise<StoredUser> {
  const key = `oidc-code:${hash(code)}`;
  const userId = await deps.cache.get(key);
  const isFirstUse =
    userId !== null && (await deps.cache.add(`${key}:used`, "1", CODE_LIFETIME_MS));
  const user = isFirstUse ? await findUser(deps.db, userId) : undefined;
  if (!user || user.disabled)
    throw new Unauthorized(
      "code_invalid",
      "This code is wrong, already used or older than a minute. Sign in again.",
    );
  await deps.cache.delete(key);
  return user;
}

function redirectBack(
  publicUrl: string,
  path: string,
  answer: Record<string, string>,
): Response {
  const url = new URL(path, publicUrl);
  url.hash = new URLSearchParams(answer).toString();
  return redirect(url.href, { "set-cookie": toCookie("", 0, publicUrl) });
}

function redirect(location: string, headers: Record<string, string>): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", ...headers },
  });
}

function toCookie(value: string, ms: number, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  const attributes = `Path=/api/v1/auth/oidc; HttpOnly; SameSite=Lax; Max-Age=${ms / 1000}${secure}`;
  return `${COOKIE}=${value}; ${attributes}`;
}

function readCookie(request: Request): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(/; */);
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}
