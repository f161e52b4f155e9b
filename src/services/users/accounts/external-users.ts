import sql, { join } from "sql-template-tag";
import type { z } from "zod";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import type { Database } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { ExternalUser, ExternalUserQuery } from "../contract-external-users.ts";
import { unknownUser } from "./manage-users.ts";
import { namesContain } from "./users-store.ts";

export interface ExternalUserDeps {
  db: Database;
  revocations: Pick<Revocations, "refresh">;
}

type Row = Omit<ExternalUser, "createdAt"> & { createdAt: Date };

const COLUMNS = sql`id as "userId", email, name, state = 'disabled' as disabled,
  created_at as "createdAt"`;

export async function listExternalUsers(
  db: Database,
  clientId: string,
  query: z.output<typeof ExternalUserQuery>,
) {
  const { limit, disabled } = query;
  const conditions = [sql`is_external and client_id = ${clientId} and state <> 'deleted'`];
  if (query.query !== undefined) conditions.push(namesContain(query.query));
  if (disabled !== undefined) conditions.push(sql`(state = 'disabled') = ${disabled}`);
  const where = join(conditions, " and ");
  const rows = await db.query<Row>(sql`select ${COLUMNS} from users.known_users
    where ${where} order by id limit ${limit} offset ${offsetOf(query)}`);
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
export async function setDisabled(
  { db, revocations }: ExternalUserDeps,
  { userId, clientId, disabled, actor }: Change,
): Promise<ExternalUser> {
  const user = await db.tx(async () => {
    const [row] = await db.query<Row>(sql`update users.known_users
      set state = ${disabled ? "disabled" : "active"}
      where id = ${userId} and is_external and client_id = ${clientId} and state <> 'deleted'
      returning ${COLUMNS}`);
    if (!row) throw unknownUser();
    await revokeUser(db, userId, disabled);
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

/** Refuses all tokens of a user, or accepts them again. */
export async function revokeUser(
  db: Database,
  userId: string,
  revoked: boolean,
): Promise<void> {
  await db.query(sql`insert into users.revocations (kind, id, revoked)
    values ('user', ${userId}, ${revoked})
    on conflict (kind, id) do update set revoked = excluded.revoked`);
}

function toExternalUser(row: Row): ExternalUser {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
