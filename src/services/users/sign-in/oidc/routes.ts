import type { Cache } from "../../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../../platform/cache/take-or-refuse.ts";
import { ApiError, Forbidden } from "../../../../platform/http/errors.ts";
import { slicePage } from "../../../../platform/http/page.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import { oidcContract as contract } from "../../contract-oidc.ts";
import { getUser } from "../../accounts/manage-users.ts";
import { type SessionDeps, startSession, startVerified } from "../sessions.ts";
import { userAgentOf } from "../user-agent.ts";
import { type GuessLimit, networkOf } from "../limit-guesses.ts";
import { finishSignIn, type SignedIn, takePendingSignIn } from "./finish-sign-in.ts";
import { linkAccount, rememberLink } from "./link-account.ts";
import { endProviderSessions, LOGOUTS, tooManyLogouts } from "./end-provider-sessions.ts";
import { LinkPasswordRequired } from "./link-identity.ts";
import type { Providers } from "./providers.ts";
import { issueCode, redeemCode } from "./sign-in-codes.ts";
import { signInCookie } from "./sign-in-cookie.ts";
import { SIGN_IN_LIFETIME_MS, startSignIn } from "./start-sign-in.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  encryptionKey: string;
  publicUrl: string;
  confirmationMs: number;
  providers: Providers;
  guesses: GuessLimit;
}

export function oidcRoutes(routes: Routes, deps: Deps): void {
  const { providers, publicUrl } = deps;
  const cookie = signInCookie(publicUrl);
  const start = ({ user: { id }, ...proved }: SignedIn, request: Request) =>
    startVerified(
      () => getUser(deps.db, id),
      (user) => startSession(deps, user, { userAgent: userAgentOf(request), ...proved }),
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
    .on(contract.startSignIn, async ({ params, query, peer }) => {
      const { url, browser } = await startSignIn(
        deps,
        await providers.find(params.provider),
        query,
        peer,
      );
      return redirect(url.href, {
        "set-cookie": cookie.set(browser, SIGN_IN_LIFETIME_MS),
      });
    })
    .on(contract.finishSignIn, async ({ params, query, request, log }) => {
      const provider = await providers.find(params.provider);
      const pending = await takePendingSignIn(
        deps,
        params.provider,
        query.state,
        cookie.read(request),
      );
      try {
        const signedIn = await finishSignIn(deps, provider, pending, query);
        if (pending.returnTo === undefined) return await start(signedIn, request);
        const code = await issueCode(deps, signedIn, pending.browserHash);
        return redirectBack(publicUrl, pending.returnTo, { code });
      } catch (error) {
        if (error instanceof LinkPasswordRequired) {
          const link = await rememberLink(deps, pending, error.person);
          if (pending.returnTo !== undefined)
            return redirectBack(publicUrl, pending.returnTo, { link });
          throw new Forbidden(error.code, error.message, { details: { code: link } });
        }
        if (pending.returnTo === undefined || !(error instanceof ApiError)) throw error;
        log.warn(
          { err: error, provider: params.provider },
          "sign-in at an identity provider failed",
        );
        return redirectBack(publicUrl, pending.returnTo, { error: error.code });
      }
    })
    .on(contract.endProviderSession, async ({ params, request, peer }) => {
      await takeOrRefuse(deps.cache, LOGOUTS, networkOf(peer), tooManyLogouts);
      await endProviderSessions(deps, await providers.find(params.provider), request);
      return new Response(null, { headers: { "cache-control": "no-store" } });
    })
    .on(contract.link, async ({ body, request, peer }) => ({
      code: await linkAccount(deps, body, request, peer),
    }))
    .on(contract.exchange, async ({ body, request }) =>
      start(await redeemCode(deps, body.code, request), request),
    );
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
