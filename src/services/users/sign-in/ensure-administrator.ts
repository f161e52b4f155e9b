import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { hashPassword } from "./password.ts";
import { lockActiveAdmins, insertUser } from "../accounts/users-store.ts";

/**
 * Creates the administrator of the installation at the first start.
 * @returns the sign-in of an administrator who was created now; the password only if generated.
 */
export async function ensureAdministrator(
  db: Database,
  clientId: string,
  email: string,
  password: string | undefined,
): Promise<{ email: string; password?: string } | undefined> {
  if ((await lockActiveAdmins(db, clientId)).length > 0) return undefined;
  const initialPassword = password ?? randomToken(15);
  const passwordHash = await hashPassword(initialPassword);
  return db.tx(async () => {
    await db.query(sql`lock table users.users in share row exclusive mode`);
    if ((await lockActiveAdmins(db, clientId)).length > 0) return undefined;
    const id = uuidv7();
    await insertUser(db, {
      id,
      clientId,
      email: email.toLowerCase(),
      name: "Administrator",
      roles: ["admin", "user"],
      passwordHash,
    });
    if (password === undefined)
      await db.query(
        sql`update users.users set has_initial_password = true where id = ${id}`,
      );
    return password === undefined ? { email, password: initialPassword } : { email };
  });
}
