import type { Queue } from "../../../platform/queue/queue.ts";
import type { UserDeletion } from "../contract-user-deletion.ts";
import { refuseLastAdmin, unknownUser } from "../accounts/manage-users.ts";
import { endSessions, type SessionDeps } from "../sign-in/sessions.ts";
import { findUser, removeUser } from "../accounts/users-store.ts";
import { deleteUserData } from "./delete-user-data.ts";

interface Deps extends SessionDeps {
  queue: Queue;
}

/**
 * Deletes a user at once, and deletes or transfers their data.
 * @throws NotFound `user_not_found`, Conflict `last_administrator`, BadRequest
 * `transfer_target_invalid`.
 */
export async function deleteUser(
  deps: Deps,
  actor: string,
  deletion: UserDeletion,
): Promise<void> {
  const { db } = deps;
  const { userId } = deletion;
  const user = await findUser(db, userId);
  if (!user) throw unknownUser();
  await db.tx(async () => {
    await refuseLastAdmin(db, userId);
    await endSessions(db, userId);
    await deleteUserData(deps, { ...deletion, clientId: user.clientId, actor });
    await removeUser(db, userId);
  });
  await deps.revocations.refresh();
}
