import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { repeatUntilNone } from "../../../platform/db/repeat-until-none.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { recordEvent } from "../audit/record-event.ts";
import {
  type UserDeletion,
  SERVICES_WITH_USER_DATA,
  userDeletionQueue,
} from "../contract-user-deletion.ts";
import { standingOf } from "../accounts/known-users.ts";
import { recordDeletion } from "./find-deletion.ts";
import {
  deleteFeaturesOf,
  FEATURES_PER_BATCH,
  transferFeatures,
} from "../sharing/features-store.ts";

interface Deps {
  db: Database;
  queue: Queue;
}

/** Who deletes whom, in which tenant. */
interface Deletion extends UserDeletion {
  clientId: string;
  actor: string;
}

/**
 * Deletes or transfers what this service stores of a user, in the transaction that deletes the
 * user. Other services do the same when they consume the queued message. The audit log keeps the
 * user's id without a name.
 * @throws BadRequest `transfer_target_invalid`.
 */
export async function deleteUserData(
  { db, queue }: Deps,
  deletion: Deletion,
): Promise<void> {
  const { userId, transferTo, actor } = deletion;
  await refuseRecipient(db, deletion);
  const isAll = (await forgetFeatures(db, deletion)) < FEATURES_PER_BATCH;
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
  const message: UserDeletion = { userId, transferTo };
  const services = SERVICES_WITH_USER_DATA.filter((name) => name !== "users" || !isAll);
  await recordDeletion(db, { ...message, clientId: deletion.clientId }, services);
  for (const service of services) await queue.publish(userDeletionQueue(service), message);
  await recordEvent(db, actor, {
    action: "user.deleted",
    resourceType: "user",
    resourceId: userId,
    details: { transferTo },
  });
}

/** Deletes or transfers a batch of what the user owns. @returns how much. */
async function forgetFeatures(
  db: Database,
  { userId, transferTo }: UserDeletion,
): Promise<number> {
  return transferTo === null
    ? deleteFeaturesOf(db, userId)
    : transferFeatures(db, userId, transferTo);
}

/** What the transaction of the deletion has left, when its message comes. Idempotent. */
export async function forgetUser(db: Database, deletion: UserDeletion): Promise<void> {
  await repeatUntilNone(db, () => forgetFeatures(db, deletion));
}

async function refuseRecipient(db: Database, { userId, transferTo, clientId }: Deletion) {
  if (transferTo === null) return;
  const recipient = await standingOf(db, transferTo);
  if (transferTo === userId || !recipient.active || recipient.clientId !== clientId)
    throw new BadRequest(
      "transfer_target_invalid",
      "transferTo must be another active user of the same organisation.",
    );
}
