import sql from "sql-template-tag";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { recordEvent } from "../audit/record-event.ts";
import {
  type UserDeletion,
  SERVICES_WITH_USER_DATA,
  userDeletionQueue,
} from "../contract-user-deletion.ts";
import { refuseLastAdmin, unknownUser } from "../identity/manage-users.ts";
import { endSessions, type SessionDeps } from "../identity/sessions.ts";
import { findUser, removeUser } from "../identity/users-store.ts";
import { deleteFeaturesOf, transferFeatures } from "../sharing/features-store.ts";

interface Deps extends SessionDeps {
  queue: Queue;
}

/**
 * Deletes a user at once, and deletes or transfers their data. Other services do the same when they
 * consume the queued message. The audit log keeps the user's id without a name.
 * @throws NotFound `user_not_found`, Conflict `last_administrator`, BadRequest
 * `transfer_target_invalid`.
 */
export async function deleteUser(
  deps: Deps,
  actor: string,
  { userId, transferTo }: UserDeletion,
): Promise<void> {
  const { db, queue } = deps;
  const user = await findUser(db, userId);
  if (!user) throw unknownUser();
  if (transferTo !== null) {
    const recipient = transferTo === userId ? undefined : await findUser(db, transferTo);
    if (!recipient || recipient.disabled || recipient.clientId !== user.clientId)
      throw new BadRequest(
        "transfer_target_invalid",
        "transferTo must be another active user of the same organisation.",
      );
  }
  await db.tx(async () => {
    await refuseLastAdmin(db, userId);
    await endSessions(db, userId);
    if (transferTo === null) await deleteFeaturesOf(db, userId);
    else await transferFeatures(db, userId, transferTo);
    await db.query(
      sql`update users.shares set revoked_at = now()
        where subject = ${`user:${userId}`} and revoked_at is null`,
    );
    for (const table of [
      sql`users.group_members`,
      sql`users.locks`,
      sql`users.marks`,
      sql`users.tags`,
      sql`users.preferences`,
      sql`users.flow_accounts`,
    ])
      await db.query(sql`delete from ${table} where user_id = ${userId}`);
    await removeUser(db, userId);
    const message: UserDeletion = { userId, transferTo };
    for (const service of SERVICES_WITH_USER_DATA)
      await queue.publish(userDeletionQueue(service), message);
    await recordEvent(db, actor, {
      action: "user.deleted",
      resourceType: "user",
      resourceId: userId,
      details: { transferTo },
    });
  });
  await deps.revocations.refresh();
}
