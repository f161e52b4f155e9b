import type { Cache } from "../../../platform/cache/cache.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import {
  clearSessionCookies,
  readSessionCookie,
  requireSameOrigin,
  setSessionCookie,
} from "../../../platform/http/session-cookie.ts";
import { usersContract as contract } from "../contract.ts";
import { redeemCode } from "./oidc/sign-in-codes.ts";
import { userId } from "../user-id.ts";
import { confirmSession, findSession, sessionOf, unknownSession } from "./confirmation.ts";
import {
  exchangeCookie,
  findSessionOfCookie,
  startBrowserSession,
} from "./browser-sessions.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import {
  endOtherSessions,
  endSessionOf,
  getSession,
  listSessions,
} from "./list-sessions.ts";
import { getUser } from "../accounts/manage-users.ts";
import { endSession, type SessionDeps, startVerified } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { userAgentOf } from "./user-agent.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  encryptionKey: string;
  guesses: GuessLimit;
  publicUrl: string;
}

/** Sessions of browsers, sign-out, and the list of all sessions of a user. */
export function sessionRoutes(routes: Routes, deps: Deps): void {
  const { db, publicUrl } = deps;
  routes
    .on(contract.startBrowserSession, async ({ body, peer, request }) => {
      requireSameOrigin(request, new URL(publicUrl).origin);
      const { identify, isConfirmed, cameFrom } =
        "code" in body
          ? await identifyByCode(deps, body.code, request)
          : {
              identify: () => signIn(deps, body, peer),
              isConfirmed: true,
              cameFrom: undefined,
            };
      const previous = readSessionCookie(request);
      const previousId = previous && (await findSessionOfCookie(deps, previous));
      const client = {
        userAgent: userAgentOf(request),
        isSecure: isSecure(request, publicUrl),
        isConfirmed,
        cameFrom,
      };
      const { id, cookie } = await startVerified(identify, (user) =>
        startBrowserSession(deps, user, client),
      );
      if (previousId) await endSession(deps, previousId);
      return Response.json(await getSession(db, id), {
        status: 201,
        headers: { "set-cookie": setSessionCookie(cookie), "cache-control": "no-store" },
      });
    })
    .on(contract.confirm, ({ caller, body: { password }, peer, request }) =>
      confirmSession(deps, userOf(caller), { request, password, peer }),
    )
    .on(contract.exchangeCookie, ({ body }) => exchangeCookie(deps, body.cookie))
    .on(contract.logout, async ({ request }) => {
      if (!(await endSession(deps, sessionOf(request)))) throw unknownSession();
      return signedOut();
    })
    .on(contract.listSessions, async ({ caller, query, request }) => {
      const current = findSession(request);
      const { page, limit } = query;
      const { items, total } = await listSessions(
        db,
        userId(caller),
        limit,
        offsetOf(query),
      );
      return {
        items: items.map((session) => ({ ...session, current: session.id === current })),
        page,
        limit,
        total,
      };
    })
    .on(contract.endOtherSessions, async ({ caller, request }) => ({
      ended: await endOtherSessions(deps, userId(caller), sessionOf(request)),
    }))
    .on(contract.endOneSession, ({ caller, params }) =>
      endSessionOf(deps, userId(caller), params.id),
    );
}

/** A code can be redeemed only once; whom it identifies can be read again. */
async function identifyByCode(deps: Deps, code: string, request: Request) {
  const { user, ...proved } = await redeemCode(deps, code, request);
  return { identify: () => getUser(deps.db, user.id), ...proved };
}

/** Whether the browser reaches the server by HTTPS, at the proxy in front at the latest. */
function isSecure({ headers }: Request, publicUrl: string): boolean {
  return (
    publicUrl.startsWith("https:") || headers.get("origin")?.startsWith("https:") === true
  );
}

/** Removes the cookie under both of its names: the request carries a token by now. */
function signedOut(): Response {
  const response = new Response(null, { status: 204 });
  for (const header of clearSessionCookies()) response.headers.append("set-cookie", header);
  return response;
}
