import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller, User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { userId } from "../user-id.ts";
import { findUser, type StoredUser } from "./users-store.ts";

/**
 * The account of the caller, which users of another issuer do not have here.
 * @throws Forbidden `account_elsewhere`.
 */
export async function ownAccount(db: Database, caller: Caller): Promise<StoredUser> {
  const account = await findUser(db, userId(caller));
  if (account) return account;
  throw new Forbidden(
    "account_elsewhere",
    "Another issuer keeps your account, so it has no password and no API keys here. " +
      "Change it there.",
  );
}

/** What is known of the caller: the account, or what the last token of another issuer said. */
export async function ownProfile(db: Database, caller: User) {
  const account = await findUser(db, caller.userId);
  if (account) return account;
  const { userId: id, email, name, clientId } = caller;
  const [known] = await db.query<{ createdAt: Date; tokenAt: Date }>(
    sql`select created_at as "createdAt", token_at as "tokenAt" from users.known_users
      where id = ${id}`,
  );
  const { createdAt = new Date(), tokenAt: updatedAt = createdAt } = known ?? {};
  return {
    id,
    email,
    name,
    clientId,
    disabled: false,
    passwordIsTemporary: false,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
