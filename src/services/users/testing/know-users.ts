import type { Database } from "../../../platform/db/database.ts";
import { seeUser } from "../accounts/known-users.ts";

/** Registers users of another issuer, as their first tokens do. */
export async function knowUsers(
  db: Database,
  userIds: readonly string[],
  clientId = "default",
): Promise<void> {
  for (const userId of userIds)
    await seeUser(db, { userId, clientId, email: "", name: userId });
}
