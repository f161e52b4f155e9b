import type { Database } from "../../../platform/db/database.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import { verifyPassword } from "./password.ts";
import { credentialsWrong } from "./sessions.ts";
import { findForSignIn, type StoredUser } from "../accounts/users-store.ts";

interface Deps {
  db: Database;
  guesses: GuessLimit;
}

/**
 * Finds the user with an email and a password.
 * @throws Unauthorized `credentials_wrong` alike for a wrong password, an unknown email and a
 * disabled user; TooManyRequests.
 */
export async function signIn(
  { db, guesses }: Deps,
  { email, password }: { email: string; password: string },
  peer: string,
): Promise<StoredUser> {
  const account = email.trim().toLowerCase();
  const user = await guesses.verifyLimited(account, peer, async () => {
    const stored = await findForSignIn(db, account);
    const isCorrect = await verifyPassword(password, stored?.passwordHash ?? null);
    return stored && isCorrect && !stored.user.disabled ? stored.user : null;
  });
  if (!user) throw credentialsWrong();
  return user;
}
