import sql from "sql-template-tag";
import type { Queue } from "../../../platform/queue/queue.ts";
import type { UserDeletion } from "../contract-user-deletion.ts";
import { type ExternalUserDeps, revokeUser } from "../accounts/external-users.ts";
import { unknownUser } from "../accounts/manage-users.ts";
import { deleteUserData } from "./delete-user-data.ts";

interface Deps extends ExternalUserDeps {
  queue: Queue;
}

/** Who deletes whom, in which tenant. */
interface Deletion extends UserDeletion {
  clientId: string;
  actor: string;
}

/**
 * Deletes a user of another issuer, and deletes or transfers their data. Only the id remains, so
 * that later tokens of the issuer for it stay refused.
 * @throws NotFound `user_not_found`, BadRequest `transfer_target_invalid`.
 */
export async function deleteExternalUser(deps: Deps, deletion: Deletion): Promise<void> {
  const { db } = deps;
  const { userId, clientId } = deletion;
  await db.tx(async () => {
    const deleted = await db.query(sql`update users.known_users
      set state = 'deleted', email = '', name = '', roles = '{}'
      where id = ${userId} and is_external and client_id = ${clientId} and state <> 'deleted'
      returning id`);
    if (deleted.length === 0) throw unknownUser();
    await revokeUser(db, userId, true);
    await deleteUserData(deps, deletion);
  });
  await deps.revocations.refresh();
}
