import sql from "sql-template-tag";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { recordEvent } from "../audit/record-event.ts";
import {
  type UserDeletion,
  DEPARTURE_LISTENERS,
  userDeletionQueue,
} from "../contract-user-deletion.ts";
import { keepAnAdmin, unknownUser } from "../identity/manage-users.ts";
import { endSessions, type SessionDeps } from "../identity/sessions.ts";
import { findUser, removeUser } from "../identity/users-store.ts";
import { deleteFeaturesOf, transferFeatures } from "../sharing/features-store.ts";

interface Deps extends SessionDeps {
  queue: Queue;
}

/**
 * Deletes a user at once: nobody signs in as him any more, and what was his is another's or gone.
 * The other services follow by the queue. The audit log keeps his id, which by then names nobody.
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
    const heir = transferTo === userId ? undefined : await findUser(db, transferTo);
    if (!heir || heir.disabled || heir.clientId !== user.clientId)
      throw new BadRequest(
        "transfer_target_invalid",
        "transferTo must be another active user of the same organisation.",
      );
  }
  await db.tx(async () => {
    await keepAnAdmin(db, userId);
    await endSessions(db, userId);
    if (transferTo === null) await deleteFeaturesOf(db, userId);
    else await transferFeatures(db, userId, transferTo);
    await db.query(
      sql`update users.shares set revoked_at = now() where subject = ${`user:${userId}`} and revoked_at is null`,
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
    for (const service of DEPARTURE_LISTENERS)
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
