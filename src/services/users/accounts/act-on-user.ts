import type { Database } from "../../../platform/db/database.ts";
import { type Caller, userOf } from "../../../platform/http/caller.ts";
import { refuseOwnLimits, refuseStrongerUser } from "../roles/refuse-stronger-users.ts";
import { requireConfirmation } from "../sign-in/confirmation.ts";
import { getUserFor } from "./manage-users.ts";
import type { StoredUser } from "./users-store.ts";

/**
 * The one rule for acting on another user. Every route that does calls one of these two; routes
 * that only read the account need the tenant alone.
 */

/**
 * A user whose account the caller may change: of the same tenant, and nobody who may do more.
 * @throws NotFound `user_not_found`, Forbidden `user_too_strong`.
 */
export async function userToManage(
  db: Database,
  caller: Caller,
  id: string,
): Promise<StoredUser> {
  const user = await getUserFor(db, caller, id);
  await refuseStrongerUser(db, caller, user);
  return user;
}

/**
 * A user whose data the caller may get at: by an export, by what signs in as the user, or by a
 * transfer. Only who may read all of that anyway, and proved who they are.
 * @throws as `userToManage`, Forbidden `beyond_own_roles`, `confirmation_required`.
 */
export async function userToEnter(
  deps: { db: Database; confirmationMs: number },
  caller: Caller,
  id: string,
  request: Request,
): Promise<StoredUser> {
  const user = await userToManage(deps.db, caller, id);
  await refuseOwnLimits(deps.db, caller, user);
  await requireConfirmation(deps, userOf(caller), request);
  return user;
}
