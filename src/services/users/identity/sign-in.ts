import type { Database } from "../../../platform/db/database.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import { verifyPassword } from "./password.ts";
import { credentialsWrong } from "./sessions.ts";
import { findForSignIn, type StoredUser } from "./users-store.ts";

interface Deps {
  db: Database;
  guesses: GuessLimit;
}

/**
 * The user behind an email and a password.
 * @throws Unauthorized `credentials_wrong`, the same for a wrong password, an unknown email and a
 * disabled user; TooManyRequests.
 */
export async function signIn(
  { db, guesses }: Deps,
  { email, password }: { email: string; password: string },
  peer: string,
): Promise<StoredUser> {
  const account = email.trim().toLowerCase();
  const user = await guesses.tried(account, peer, async () => {
    const found = await findForSignIn(db, account);
    const right = await verifyPassword(password, found?.passwordHash ?? null);
    return found && right && !found.user.disabled ? found.user : null;
  });
  if (!user) throw credentialsWrong();
  return user;
}
