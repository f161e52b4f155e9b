import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { hashPassword } from "./password.ts";
import { activeAdmins, insertUser } from "./users-store.ts";

/**
 * The first start makes an administrator of the installation.
 * @returns how to sign in, when one was made now.
 */
export async function ensureAdministrator(
  db: Database,
  clientId: string,
  email: string,
  password: string | undefined,
): Promise<{ email: string; password?: string } | undefined> {
  if ((await activeAdmins(db, clientId)).length > 0) return undefined;
  const made = password ?? randomBytes(15).toString("base64url");
  const passwordHash = await hashPassword(made);
  return db.tx(async () => {
    await db.query(sql`lock table users.users in share row exclusive mode`);
    if ((await activeAdmins(db, clientId)).length > 0) return undefined;
    await insertUser(db, {
      id: uuidv7(),
      clientId,
      email: email.toLowerCase(),
      name: "Administrator",
      roles: ["admin", "user"],
      passwordHash,
    });
    return { email, ...(password === undefined && { password: made }) };
  });
}
