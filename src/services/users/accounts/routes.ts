import type { Cache } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { isOperator, type User, userOf } from "../../../platform/http/caller.ts";
import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";
import { offsetOf, readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import type { ServiceName } from "../../../platform/service.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import { usersContract as contract } from "../contract.ts";
import { refuseStrongerRoles } from "../roles/refuse-stronger-roles.ts";
import { refuseTakingRoles } from "../roles/refuse-stronger-users.ts";
import { listSessions } from "../sign-in/list-sessions.ts";
import { userId } from "../user-id.ts";
import { deleteUser } from "../user-deletion/delete-user.ts";
import { exportData } from "../user-deletion/export-data.ts";
import { userToEnter, userToManage } from "./act-on-user.ts";
import { seeUser, standingNow, standingsNow } from "./known-users.ts";
import { changeUser, createUser, endAllSessions, getUserFor } from "./manage-users.ts";
import type { SessionDeps } from "../sign-in/sessions.ts";
import { listUsers } from "./users-store.ts";

export interface UsersDeps extends SessionDeps {
  cache: Cache;
  queue: Queue;
  peer: (name: ServiceName) => Fetch;
  /** How long something runs without a token for a user of another issuer. */
  maxAbsenceMs: number;
  /** The tenant that runs the installation. */
  operatorClientId: string;
  /** How long a proof of identity lets administrators get at data of others. */
  confirmationMs: number;
}

const EXPORT_LIMIT = { name: "personal-export", points: 10, durationMs: 3_600_000 };

/** Administration of users, known users, and exports of all data of a user. */
export function userRoutes(routes: Routes, deps: UsersDeps): void {
  const { db } = deps;
  routes
    .on(contract.listUsers, ({ caller, query }) =>
      readPage(query, () => listUsers(db, userOf(caller).clientId, query)),
    )
    .on(contract.createUser, async ({ caller, body }) => {
      const clientId = tenantFor(userOf(caller), body);
      await refuseStrongerRoles(db, caller, body.roles);
      return createUser(db, { ...body, clientId }, actorOf(caller));
    })
    .on(contract.standing, async ({ params: { userId } }) => {
      const user = await standingNow(db, userId, deps.maxAbsenceMs);
      return { ...user, isOfOperator: user.clientId === deps.operatorClientId };
    })
    .on(contract.standings, async ({ body: { userIds } }) => {
      const users = await standingsNow(db, userIds, deps.maxAbsenceMs);
      const isOfOperator = (clientId: string | null) => clientId === deps.operatorClientId;
      return {
        standings: users.map((user) => ({
          ...user,
          isOfOperator: isOfOperator(user.clientId),
        })),
      };
    })
    .on(contract.seeUser, ({ body }) => seeUser(db, body))
    .on(contract.getUser, ({ caller, params }) => getUserFor(db, caller, params.id))
    .on(contract.changeUser, async ({ caller, params, body, request }) => {
      // with a password, or an email that the identity provider confirms, one signs in as the user
      const signsIn = body.password !== undefined || body.email !== undefined;
      const user = signsIn
        ? await userToEnter(deps, caller, params.id, request)
        : await userToManage(db, caller, params.id);
      const { roles = user.roles } = body;
      const without = (names: string[], others: string[]) =>
        names.filter((name) => !others.includes(name));
      await refuseStrongerRoles(db, caller, without(roles, user.roles));
      await refuseTakingRoles(db, caller, without(user.roles, roles));
      return changeUser(deps, params.id, body, actorOf(caller));
    })
    .on(contract.deleteUser, async ({ caller, params, query, request }) => {
      // the recipient, who may be the caller, sees everything
      if (query.transferTo === undefined) await userToManage(db, caller, params.id);
      else await userToEnter(deps, caller, params.id, request);
      await deleteUser(deps, actorOf(caller), {
        userId: params.id,
        transferTo: query.transferTo ?? null,
      });
    })
    .on(contract.listUserSessions, async ({ caller, params, query }) => {
      await getUserFor(db, caller, params.id);
      const { page, limit } = query;
      return {
        ...(await listSessions(db, params.id, limit, offsetOf(query))),
        page,
        limit,
      };
    })
    .on(contract.endUserSessions, async ({ caller, params }) => {
      await userToManage(db, caller, params.id);
      await endAllSessions(deps, params.id, actorOf(caller));
    })
    .on(contract.exportUser, async ({ caller, params, request }) => {
      const { id } = await userToEnter(deps, caller, params.id, request);
      await recordEvent(db, actorOf(caller), {
        action: "user.exported",
        resourceType: "user",
        resourceId: id,
      });
      return toFile(exportData(deps, id));
    })
    .on(contract.exportMe, async ({ caller }) => {
      await takeOrRefuse(deps.cache, EXPORT_LIMIT, userId(caller), exportLimited);
      return toFile(exportData(deps, userId(caller)));
    });
}

function exportLimited(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "export_limited",
    `You may export ${EXPORT_LIMIT.points} times an hour. Try again later.`,
    retryAfterMs,
    { params: { max: EXPORT_LIMIT.points } },
  );
}

/** The tenant of a new user. @throws Forbidden `operator_required`. */
function tenantFor(
  administrator: User,
  { clientId }: { clientId?: string | undefined },
): string {
  if (clientId === undefined || clientId === administrator.clientId)
    return administrator.clientId;
  if (isOperator(administrator)) return clientId;
  throw new Forbidden(
    "operator_required",
    "Only administrators of the installation create users of other tenants. Leave out clientId.",
  );
}

function toFile(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines, {
    headers: {
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="personal-data.ndjson"',
      "cache-control": "no-store",
    },
  });
}
