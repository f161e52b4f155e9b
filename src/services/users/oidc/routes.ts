import type { Cache } from "../../../platform/cache/cache.ts";
import { ApiError, Unauthorized } from "../../../platform/http/errors.ts";
import { slicePage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { oidcContract as contract } from "../contract-oidc.ts";
import { getUser } from "../identity/manage-users.ts";
import { type SessionDeps, startSession, startVerified } from "../identity/sessions.ts";
import { userAgentOf } from "../sessions/user-agent.ts";
import { findUser, type StoredUser } from "../identity/users-store.ts";
import { finishSignIn, takePendingSignIn } from "./finish-sign-in.ts";
import type { Providers } from "./providers.ts";
import { signInCookie } from "./sign-in-cookie.ts";
import {
  hash,
  type PendingSignIn,
  randomToken,
  SIGN_IN_LIFETIME_MS,
  startSignIn,
} from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  publicUrl: string;
  providers: Providers;
}

const CODE_LIFETIME_MS = 60_000;

/** What the service remembers between the callback and the exchange of its code. */
interface FinishedSignIn extends Pick<PendingSignIn, "browserHash"> {
  userId: string;
}

export function oidcRoutes(routes: Routes, deps: Deps): void {
  const { cache, providers, publicUrl } = deps;
  const cookie = signInCookie(publicUrl);
  const start = ({ id }: StoredUser, request: Request) =>
    startVerified(
      () => getUser(deps.db, id),
      (user) => startSession(deps, user, userAgentOf(request)),
    );
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
        "set-cookie": cookie.set(browser, SIGN_IN_LIFETIME_MS),
      });
    })
    .on(contract.finishSignIn, async ({ params, query, request, log }) => {
      const provider = await providers.find(params.provider);
      const pending = await takePendingSignIn(
        cache,
        params.provider,
        query.state,
        cookie.read(request),
      );
      try {
        const user = await finishSignIn(deps, provider, pending, query);
        if (pending.returnTo === undefined) return await start(user, request);
        const code = randomToken();
        const finished: FinishedSignIn = {
          userId: user.id,
          browserHash: pending.browserHash,
        };
        await cache.set(
          `oidc-code:${hash(code)}`,
          JSON.stringify(finished),
          CODE_LIFETIME_MS,
        );
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
      start(await redeemCode(deps, body.code, request), request),
    );
}

/**
 * The user who came back from an identity provider with this code; it works once, in the browser
 * that started the sign-in.
 * @throws Unauthorized `code_invalid`.
 */
export async function redeemCode(
  deps: Pick<Deps, "cache" | "db" | "publicUrl">,
  code: string,
  request: Request,
): Promise<StoredUser> {
  const key = `oidc-code:${hash(code)}`;
  const stored = await deps.cache.get(key);
  // the callback wrote it
  const finished = stored === null ? undefined : (JSON.parse(stored) as FinishedSignIn);
  const browser = signInCookie(deps.publicUrl).read(request) ?? "";
  const isFirstUse =
    finished?.browserHash === hash(browser) &&
    (await deps.cache.add(`${key}:used`, "1", CODE_LIFETIME_MS));
  const user = isFirstUse ? await findUser(deps.db, finished.userId) : undefined;
  if (!user || user.disabled)
    throw new Unauthorized(
      "code_invalid",
      "This code is wrong, already used, older than a minute or of another browser. Sign in again.",
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
  return redirect(url.href);
}

function redirect(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", ...headers },
  });
}
