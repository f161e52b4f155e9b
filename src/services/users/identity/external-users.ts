import sql from "sql-template-tag";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import {
  externalUsersContract as contract,
  type ExternalUser,
} from "../contract-external-users.ts";
import { unknownUser } from "./manage-users.ts";

interface Deps {
  db: Database;
  revocations: Pick<Revocations, "refresh">;
}

type Row = Omit<ExternalUser, "createdAt"> & { createdAt: Date };

const COLUMNS = sql`id as "userId", email, name, state = 'disabled' as disabled,
  created_at as "createdAt"`;

/**
 * Administration of users of another token issuer. The issuer signs them in; here they can be shut
 * out before their tokens expire, with the keys and grants that no token limits.
 */
export function externalUserRoutes(routes: Routes, deps: Deps): void {
  routes
    .on(contract.listExternalUsers, async ({ caller, query }) => {
      const { clientId } = userOf(caller);
      const page = await listExternalUsers(deps.db, clientId, query.limit, offsetOf(query));
      return { ...page, page: query.page, limit: query.limit };
    })
    .on(contract.changeExternalUser, ({ caller, params, body }) =>
      setDisabled(deps, {
        userId: params.userId,
        clientId: userOf(caller).clientId,
        disabled: body.disabled,
        actor: actorOf(caller),
      }),
    );
}

async function listExternalUsers(db: Database, clientId: string, limit: number, offset: number) {
  const where = sql`is_external and client_id = ${clientId} and state <> 'deleted'`;
  const rows = await db.query<Row>(sql`select ${COLUMNS} from users.known_users
    where ${where} order by id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.known_users where ${where}`,
  );
  return { items: rows.map(toExternalUser), total: count?.total ?? 0 };
}

interface Change {
  userId: string;
  clientId: string;
  disabled: boolean;
  actor: string;
}

/** @throws NotFound `user_not_found` for users of this service and of other tenants. */
async function setDisabled(
  { db, revocations }: Deps,
  { userId, clientId, disabled, actor }: Change,
): Promise<ExternalUser> {
  const user = await db.tx(async () => {
    const [row] = await db.query<Row>(sql`update users.known_users
      set state = ${disabled ? "disabled" : "active"}
      where id = ${userId} and is_external and client_id = ${clientId} and state <> 'deleted'
      returning ${COLUMNS}`);
    if (!row) throw unknownUser();
    await db.query(sql`insert into users.revocations (kind, id, revoked)
      values ('user', ${userId}, ${disabled})
      on conflict (kind, id) do update set revoked = excluded.revoked`);
    const details = { disabled };
    await recordEvent(db, actor, {
      action: "user.changed",
      resourceType: "user",
      resourceId: userId,
      details,
    });
    return toExternalUser(row);
  });
  await revocations.refresh();
  return user;
}

function toExternalUser(row: Row): ExternalUser {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
