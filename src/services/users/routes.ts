import { decodeJwt } from "jose";
import type { Cache } from "../../platform/cache/cache.ts";
import { type Caller, isOperator, type User, userOf } from "../../platform/http/caller.ts";
import type { Database } from "../../platform/db/database.ts";
import { Forbidden, TooManyRequests, Unauthorized } from "../../platform/http/errors.ts";
import type { Fetch } from "../../platform/http/call.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { offsetOf } from "../../platform/http/page.ts";
import { Routes } from "../../platform/http/routes.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import type { ServiceName } from "../../platform/service.ts";
import { actorOf, recordEvent } from "./audit/record-event.ts";
import { auditRoutes } from "./audit/routes.ts";
import { usersContract as contract } from "./contract.ts";
import { createApiKey, deleteApiKey, listApiKeys, verifyApiKey } from "./identity/api-keys.ts";
import {
  changePassword,
  changeUser,
  createUser,
  getUser,
  unknownUser,
} from "./identity/manage-users.ts";
import { listRevocations } from "./identity/revocations-store.ts";
import { endSession, refreshSession, type SessionDeps, startSession } from "./identity/sessions.ts";
import { type GuessLimit, networkOf } from "./identity/limit-guesses.ts";
import { signIn } from "./identity/sign-in.ts";
import { seeUser, standingOf } from "./identity/known-users.ts";
import { listUsers } from "./identity/users-store.ts";
import type { Providers } from "./oidc/providers.ts";
import { deleteUser } from "./user-deletion/delete-user.ts";
import { exportData } from "./user-deletion/export-data.ts";
import { groupsRoutes } from "./groups/routes.ts";
import { locksRoutes } from "./locks/routes.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { personalRoutes } from "./personal/routes.ts";
import { rolesRoutes } from "./roles/routes.ts";
import { uuidOrNull } from "./sharing/decide-access.ts";
import { sharingRoutes } from "./sharing/routes.ts";
import { userId } from "./user-id.ts";

interface Deps extends SessionDeps {
  cache: Cache;
  guard: Guard;
  guesses: GuessLimit;
  signUpOpen: boolean;
  publicUrl: string;
  providers: Providers;
  lockTtlMs: number;
  encryptionKey: string;
  maxMarks: number;
  maxShares: number;
  maxMembers: number;
  queue: Queue;
  peer: (name: ServiceName) => Fetch;
}

const EXPORTS = { name: "personal-export", points: 10, durationMs: 3_600_000 };
const SIGN_UPS = { name: "sign-up", points: 10, durationMs: 3_600_000 };

export function usersRoutes(deps: Deps): Routes {
  const { db, cache } = deps;
  const routes = new Routes()
    .on(contract.login, async ({ body, peer }) =>
      startSession(deps, await signIn(deps, body, peer)),
    )
    .on(contract.refresh, ({ body }) => refreshSession(deps, body.refreshToken))
    .on(contract.logout, async ({ request }) => {
      if (!(await endSession(deps, sessionOf(request)))) throw unknownSession();
    })
    .on(contract.listRevocations, ({ query }) => listRevocations(db, query.after))
    .on(contract.me, async ({ caller }) => ({
      ...(await getUser(db, userId(caller))),
      permissions: await deps.guard.listFor(userOf(caller)),
    }))
    .on(contract.changePassword, ({ caller, body, peer }) =>
      changePassword(deps, userId(caller), body, peer),
    )
    .on(contract.signUp, async ({ body, peer }) => {
      if (!deps.signUpOpen)
        throw new Forbidden(
          "sign_up_closed",
          "Accounts are made by an administrator here. Ask one.",
        );
      const { allowed, retryAfterMs } = await cache.take(SIGN_UPS, networkOf(peer));
      if (!allowed)
        throw new TooManyRequests(
          "sign_up_limited",
          "Too many accounts were made from here. Try again later.",
          retryAfterMs,
        );
      return createUser(db, { ...body, roles: ["user"] });
    })
    .on(contract.jwks, () => deps.keys.jwks)
    .on(contract.createApiKey, ({ caller, body }) => createApiKey(db, userId(caller), body))
    .on(contract.listApiKeys, async ({ caller, query }) => ({
      ...(await listApiKeys(db, userId(caller), query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.deleteApiKey, ({ caller, params }) => deleteApiKey(db, userId(caller), params.id))
    .on(contract.verifyApiKey, ({ body }) => verifyApiKey(db, body.key))
    .on(contract.listUsers, async ({ caller, query }) => ({
      ...(await listUsers(db, userOf(caller).clientId, query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.createUser, ({ caller, body }) =>
      createUser(db, { ...body, clientId: tenantFor(userOf(caller), body) }, actorOf(caller)),
    )
    .on(contract.standing, ({ params }) => standingOf(db, params.userId))
    .on(contract.seeUser, ({ body }) => seeUser(db, body))
    .on(contract.getUser, ({ caller, params }) => getUserFor(db, caller, params.id))
    .on(contract.changeUser, async ({ caller, params, body }) => {
      await getUserFor(db, caller, params.id);
      return changeUser(deps, params.id, body, actorOf(caller));
    })
    .on(contract.deleteUser, async ({ caller, params, query }) => {
      await getUserFor(db, caller, params.id);
      await deleteUser(deps, actorOf(caller), {
        userId: params.id,
        transferTo: query.transferTo ?? null,
      });
    })
    .on(contract.exportUser, async ({ caller, params }) => {
      const { id } = await getUserFor(db, caller, params.id);
      await recordEvent(db, actorOf(caller), {
        action: "user.exported",
        resourceType: "user",
        resourceId: id,
      });
      return fileOf(exportData(deps, id));
    })
    .on(contract.exportMe, async ({ caller }) => {
      const { allowed, retryAfterMs } = await cache.take(EXPORTS, userId(caller));
      if (!allowed)
        throw new TooManyRequests(
          "export_limited",
          "That was exported often enough for now.",
          retryAfterMs,
        );
      return fileOf(exportData(deps, userId(caller)));
    });
  oidcRoutes(routes, deps);
  sharingRoutes(routes, deps);
  locksRoutes(routes, db, deps.lockTtlMs);
  groupsRoutes(routes, deps);
  rolesRoutes(routes, deps);
  auditRoutes(routes, db);
  personalRoutes(routes, deps);
  return routes;
}

/** A user of the caller's tenant; any user for services. @throws NotFound `user_not_found`. */
async function getUserFor(db: Database, caller: Caller, id: string) {
  const user = await getUser(db, id);
  if (caller.kind === "user" && caller.clientId !== user.clientId) throw unknownUser();
  return user;
}

/** The tenant of a new user. @throws Forbidden `operator_required`. */
function tenantFor(administrator: User, { clientId }: { clientId?: string | undefined }): string {
  if (clientId === undefined || clientId === administrator.clientId) return administrator.clientId;
  if (isOperator(administrator)) return clientId;
  throw new Forbidden(
    "operator_required",
    "Only administrators of the installation make users of other tenants. Leave out clientId.",
  );
}

function fileOf(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines, {
    headers: {
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="personal-data.ndjson"',
      "cache-control": "no-store",
    },
  });
}

/** The session of the token that the request was admitted with. */
function sessionOf(request: Request): string {
  const token = request.headers.get("authorization")?.replace(/^Bearer +/i, "") ?? "";
  const { sid } = decodeJwt(token);
  if (typeof sid !== "string" || uuidOrNull(sid) === null) throw unknownSession();
  return sid;
}

function unknownSession(): Unauthorized {
  return new Unauthorized(
    "session_unknown",
    "This token belongs to no session here; end it where it was issued.",
  );
}
