import type { Cache } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { usersContract as contract } from "../contract.ts";
import { userId } from "../user-id.ts";
import { createApiKey, deleteApiKey, listApiKeys, verifyApiKey } from "./api-keys.ts";
import { listNotices, markNoticesRead } from "../audit/account-notices.ts";
import { type GuessLimit, networkOf } from "./limit-guesses.ts";
import { changePassword, createUser } from "../accounts/manage-users.ts";
import { ownAccount, ownProfile } from "../accounts/own-account.ts";
import { listRevocations } from "./revocations-store.ts";
import { listDeletedUsers, recordReport } from "../user-deletion/deletion-parts.ts";
import { findDeletion } from "../user-deletion/find-deletion.ts";
import {
  refreshSession,
  type SessionDeps,
  startSession,
  startVerified,
} from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { userAgentOf } from "./user-agent.ts";

export interface SignInDeps extends SessionDeps {
  cache: Cache;
  guard: Guard;
  guesses: GuessLimit;
  signUpOpen: boolean;
}

const SIGN_UP_LIMIT = { name: "sign-up", points: 10, durationMs: 3_600_000 };

/** Sign-in with tokens, sign-up and API keys. */
export function signInRoutes(routes: Routes, deps: SignInDeps): void {
  const { db } = deps;
  routes
    .on(contract.login, async ({ body, peer, request }) =>
      startVerified(
        () => signIn(deps, body, peer),
        (user) =>
          startSession(deps, user, { userAgent: userAgentOf(request), isConfirmed: true }),
      ),
    )
    .on(contract.refresh, ({ body }) => refreshSession(deps, body.refreshToken))
    .on(contract.listRevocations, ({ query }) => listRevocations(db, query.after))
    .on(contract.readDeletion, ({ params }) => findDeletion(db, params.userId))
    .on(contract.reportDeletion, ({ params, body }) =>
      recordReport(db, params.userId, body),
    )
    .on(contract.listDeletedUsers, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listDeletedUsers(db, userOf(caller).clientId, {
          isOpen: query.open === true,
          limit,
          offset,
        }),
      ),
    )
    .on(contract.me, async ({ caller }) => ({
      ...(await ownProfile(db, userOf(caller))),
      // those of groups too
      roles: [...userOf(caller).roles],
      permissions: await deps.guard.listFor(userOf(caller)),
    }))
    .on(contract.listNotices, ({ caller, query }) =>
      readPage(query, (limit, offset) => listNotices(db, userId(caller), limit, offset)),
    )
    .on(contract.readNotices, ({ caller }) => markNoticesRead(db, userId(caller)))
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
      deleteApiKey(deps, userId(caller), params.id),
    )
    .on(contract.verifyApiKey, ({ body }) => verifyApiKey(db, body.key));
}

/** @throws Forbidden `sign_up_closed`, TooManyRequests `sign_up_limited`. */
async function requireSignUp(
  { signUpOpen, cache }: SignInDeps,
  peer: string,
): Promise<void> {
  if (!signUpOpen)
    throw new Forbidden(
      "sign_up_closed",
      "Only administrators create accounts here. Ask an administrator for one.",
    );
  await takeOrRefuse(cache, SIGN_UP_LIMIT, networkOf(peer), signUpLimited);
}

function signUpLimited(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "sign_up_limited",
    "Too many accounts were created from your network. Try again later.",
    retryAfterMs,
  );
}
