import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import {
  NOT_DELETED,
  type ServiceWithUserData,
  type UserDeletion,
} from "../contract-user-deletion.ts";

/**
 * Keeps who was deleted, and the services that have data to delete, in the transaction that deletes
 * the user.
 */
export async function recordDeletion(
  db: Database,
  deletion: UserDeletion & { clientId: string },
  services: readonly ServiceWithUserData[],
): Promise<void> {
  const { userId, transferTo, clientId } = deletion;
  await db.query(sql`insert into users.deletions (user_id, transfer_to, client_id)
    values (${userId}, ${transferTo}, ${clientId})
    on conflict (user_id) do update set transfer_to = excluded.transfer_to,
      client_id = excluded.client_id, at = now()`);
  await db.query(sql`insert into users.deletion_parts (user_id, service, state)
    select ${userId}, service, 'waiting' from unnest(${[...services]}::text[]) as service
    on conflict (user_id, service) do update set state = 'waiting', attempt = 0, error = null,
      at = now()`);
}

/** @throws NotFound `user_not_deleted`. */
export async function findDeletion(db: Database, userId: string): Promise<UserDeletion> {
  const deletion = await confirmDeletion(db, userId);
  if (deletion) return deletion;
  throw notDeleted();
}

export async function confirmDeletion(
  db: Database,
  userId: string,
): Promise<UserDeletion | undefined> {
  const [row] = await db.query<UserDeletion>(sql`
    select user_id as "userId", transfer_to as "transferTo" from users.deletions
    where user_id = ${userId}`);
  return row;
}

export function notDeleted(): NotFound {
  return new NotFound(
    NOT_DELETED,
    "Nobody deleted a user with this id. Delete the user first.",
  );
}
