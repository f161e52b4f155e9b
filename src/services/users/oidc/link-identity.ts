import { cutText } from "../../../platform/cut-text.ts";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { isUniqueViolation } from "../../../platform/db/pooled-database.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { changeUser } from "../identity/manage-users.ts";
import type { SessionDeps } from "../identity/sessions.ts";
import { findForSignIn, findUser, insertUser, type StoredUser } from "../identity/users-store.ts";
import type { OidcProvider } from "./providers.ts";

/** What an identity provider says of somebody. */
export interface Person {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string;
  groups: string[];
}

/**
 * The user behind an identity: the one who was linked before; else the one with the same verified
 * email; else a new one. An email that the provider has not verified links nobody: anyone could
 * write another's email there.
 * @throws Forbidden `user_disabled`, `email_not_verified`, `email_domain_not_allowed`,
 * `identity_conflict`, `sign_up_closed`.
 */
export async function userOf(
  deps: SessionDeps,
  settings: OidcProvider,
  person: Person,
): Promise<StoredUser> {
  const { db } = deps;
  const user = await db.tx(async () => {
    const linked = await linkedUser(deps, person);
    const found = linked ?? (await userByEmail(deps, settings, person));
    if (found.disabled)
      throw new Forbidden("user_disabled", "This account is disabled. Ask your administrator.");
    await link(deps, person, found.id);
    return found;
  });
  return withRoles(deps, settings, user, person.groups);
}

async function linkedUser(
  { db }: SessionDeps,
  { issuer, subject }: Person,
): Promise<StoredUser | undefined> {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from users.identities where issuer = ${issuer} and subject = ${subject}`,
  );
  return row && findUser(db, row.userId);
}

async function userByEmail(
  { db }: SessionDeps,
  settings: OidcProvider,
  person: Person,
): Promise<StoredUser> {
  const { email } = person;
  if (email === undefined || !person.emailVerified)
    throw new Forbidden(
      "email_not_verified",
      "Your identity provider does not confirm your email. Ask your administrator.",
    );
  if (settings.emailDomains && !settings.emailDomains.includes(email.split("@").at(-1) ?? ""))
    throw new Forbidden(
      "email_domain_not_allowed",
      "Accounts with this email's domain may not sign in here.",
    );
  const existing = await findForSignIn(db, email);
  if (existing) return existing.user;
  if (!settings.signUp)
    throw new Forbidden(
      "sign_up_closed",
      "You have no account here yet. Ask your administrator for one with this email.",
    );
  return insertUser(db, {
    id: uuidv7(),
    clientId: "default",
    email,
    name: cutText(person.name, 200) || email,
    roles: ["user"],
    passwordHash: null,
  });
}

async function link(
  { db }: SessionDeps,
  { issuer, subject, groups }: Person,
  userId: string,
): Promise<void> {
  try {
    await db.query(sql`insert into users.identities (issuer, subject, user_id, groups) values (${issuer}, ${subject}, ${userId}, ${groups})
      on conflict (issuer, subject) do update set groups = excluded.groups, last_sign_in_at = now()`);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Forbidden(
      "identity_conflict",
      "Another identity of this provider already belongs to the account with your email.",
    );
  }
}

/** The role `admin` follows the provider's groups where it is told which. */
async function withRoles(
  deps: SessionDeps,
  { adminGroups }: OidcProvider,
  user: StoredUser,
  groups: string[],
): Promise<StoredUser> {
  if (!adminGroups) return user;
  const isAdmin = groups.some((group) => adminGroups.includes(group));
  if (isAdmin === user.roles.includes("admin")) return user;
  const others = user.roles.filter((role) => role !== "admin");
  return changeUser(deps, user.id, { roles: isAdmin ? [...others, "admin"] : others });
}
