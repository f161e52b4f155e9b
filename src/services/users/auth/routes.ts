import type { Cache } from "../../../platform/cache/cache.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { usersContract as contract } from "../contract.ts";
import { userId } from "../user-id.ts";
import {
  createApiKey,
  deleteApiKey,
  listApiKeys,
  verifyApiKey,
} from "../identity/api-keys.ts";
import { type GuessLimit, networkOf } from "../identity/limit-guesses.ts";
import { changePassword, createUser } from "../identity/manage-users.ts";
import { ownAccount, ownProfile } from "../identity/own-account.ts";
import { listRevocations } from "../identity/revocations-store.ts";
import {
  refreshSession,
  type SessionDeps,
  startSession,
  startVerified,
} from "../identity/sessions.ts";
import { signIn } from "../identity/sign-in.ts";
import { userAgentOf } from "../sessions/user-agent.ts";

export interface AuthDeps extends SessionDeps {
  cache: Cache;
  guard: Guard;
  guesses: GuessLimit;
  signUpOpen: boolean;
}

const SIGN_UP_LIMIT = { name: "sign-up", points: 10, durationMs: 3_600_000 };

/** Sign-in with tokens, sign-up and API keys. */
export function authRoutes(routes: Routes, deps: AuthDeps): void {
  const { db } = deps;
  routes
    .on(contract.login, async ({ body, peer, request }) =>
      startVerified(
        () => signIn(deps, body, peer),
        (user) => startSession(deps, user, userAgentOf(request)),
      ),
    )
    .on(contract.refresh, ({ body }) => refreshSession(deps, body.refreshToken))
    .on(contract.listRevocations, ({ query }) => listRevocations(db, query.after))
    .on(contract.me, async ({ caller }) => ({
      ...(await ownProfile(db, userOf(caller))),
      // those of groups too
      roles: [...userOf(caller).roles],
      permissions: await deps.guard.listFor(userOf(caller)),
    }))
    .on(contract.changePassword, async ({ caller, body, peer }) =>
      changePassword(deps, await ownAccount(db, caller), body, peer),
    )
    .on(contract.signUp, async ({ body, peer }) => {
      await requireSignUp(deps, peer);
      return createUser(db, { ...body, roles: ["user"] });
    })
    .on(contract.jwks, () => deps.keys.jwks)
    .on(contract.createApiKey, async ({ caller, body }) =>
      createApiKey(db, (await ownAccount(db, caller)).id, body),
    )
    .on(contract.listApiKeys, ({ caller, query }) =>
      readPage(query, (limit, offset) => listApiKeys(db, userId(caller), limit, offset)),
    )
    .on(contract.deleteApiKey, ({ caller, params }) =>
      deleteApiKey(db, userId(caller), params.id),
    )
    .on(contract.verifyApiKey, ({ body }) => verifyApiKey(db, body.key));
}

/** @throws Forbidden `sign_up_closed`, TooManyRequests `sign_up_limited`. */
async function requireSignUp({ signUpOpen, cache }: AuthDeps, peer: string): Promise<void> {
  if (!signUpOpen)
    throw new Forbidden(
      "sign_up_closed",
      "Only administrators create accounts here. Ask an administrator for one.",
    );
  const { allowed, retryAfterMs } = await cache.take(SIGN_UP_LIMIT, networkOf(peer));
  if (!allowed)
    throw new TooManyRequests(
      "sign_up_limited",
      "Too many accounts were created from your network. Try again later.",
      retryAfterMs,
    );
}
