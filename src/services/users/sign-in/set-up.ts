import sql from "sql-template-tag";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict, Forbidden } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { endSessions, type SessionDeps } from "./sessions.ts";
import { updateUser } from "../accounts/users-store.ts";

interface Administrator {
  id: string;
  email: string;
  passwordHash: string | null;
}

interface NewSignIn {
  code: string;
  password: string;
  email?: string | undefined;
  name?: string | undefined;
}

/** Whether the first administrator still has the generated password. */
export async function needsSetup(db: Database): Promise<boolean> {
  return (await findInitial(db)) !== undefined;
}

/**
 * Replaces the generated password of the first administrator. Whoever does so knows it.
 * @throws Conflict `already_set_up`, Forbidden `setup_code_wrong`, TooManyRequests.
 */
export async function setUp(
  deps: SessionDeps & { guesses: GuessLimit },
  { code, password, email, name }: NewSignIn,
  peer: string,
): Promise<{ email: string }> {
  const { db, guesses, revocations } = deps;
  const administrator = await findInitial(db);
  if (!administrator) throw alreadySetUp();
  const isRight = await guesses.verifyLimited(
    administrator.email.toLowerCase(),
    peer,
    async () => (await verifyPassword(code, administrator.passwordHash)) || null,
  );
  if (!isRight)
    throw new Forbidden(
      "setup_code_wrong",
      "This is not the password that the first start printed. Copy it from the server's output.",
    );
  const passwordHash = await hashPassword(password);
  const { id } = administrator;
  const updated = await db
    .tx(async () => {
      const [isOpen] = await db.query(
        sql`select id from users.users where id = ${id} and has_initial_password for update`,
      );
      if (!isOpen) throw alreadySetUp();
      const user = await updateUser(db, id, { passwordHash, email, name });
      await endSessions(db, id);
      await recordEvent(db, id, {
        action: "user.set_up",
        resourceType: "user",
        resourceId: id,
      });
      return user;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new Conflict("email_taken", "Another user has this email. Choose another one.");
    });
  await revocations.refresh();
  return { email: updated?.email ?? administrator.email };
}

async function findInitial(db: Database): Promise<Administrator | undefined> {
  const [row] = await db.query<Administrator>(
    sql`select id, email, password_hash as "passwordHash" from users.users
      where has_initial_password and not disabled order by id limit 1`,
  );
  return row;
}

function alreadySetUp(): Conflict {
  return new Conflict(
    "already_set_up",
    "The administrator has a password already. Sign in, or ask the administrator for an account.",
  );
}
