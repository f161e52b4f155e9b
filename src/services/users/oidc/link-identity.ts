import { cutText } from "../../../platform/cut-text.ts";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { announcingRoles } from "../groups/roles-of-groups.ts";
import { setRole } from "../identity/manage-users.ts";
import type { SessionDeps } from "../identity/sessions.ts";
import {
  findForSignIn,
  findUser,
  insertUser,
  type StoredUser,
} from "../identity/users-store.ts";
import type { OidcProvider } from "./providers.ts";

/** The claims of an identity provider about a person. */
export interface Person {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string;
  groups: string[];
}

const ANY_TENANT = "*";

/**
 * Finds the user of an identity: the user who was linked before, else the user with the same
 * verified email, else a new user. An unverified email never links a user, because anyone could
 * enter the email of somebody else. A provider signs in users of its own tenant: what it says of
 * users of other tenants is not its business.
 * @throws Forbidden `user_disabled`, `account_of_other_tenant`, `email_not_verified`,
 * `email_domain_not_allowed`, `identity_conflict`, `sign_up_closed`.
 */
export async function resolveUser(
  deps: SessionDeps,
  settings: OidcProvider,
  person: Person,
): Promise<StoredUser> {
  const { db } = deps;
  const findAndLink = async () => {
    const linked = await findLinkedUser(deps, person);
    const current = linked ?? (await findOrCreateByEmail(deps, settings, person));
    if (settings.tenant !== ANY_TENANT && current.clientId !== settings.tenant)
      throw new Forbidden(
        "account_of_other_tenant",
        "Your account belongs to another organisation. Sign in with that organisation's provider.",
      );
    if (current.disabled)
      throw new Forbidden(
        "user_disabled",
        "This account is disabled. Ask your administrator.",
      );
    await linkIdentity(deps, person, current.id);
    return current;
  };
  const user = await db.tx(findAndLink).catch((error: unknown) => {
    // another first sign-in of this person made the account at the same time
    if (isUniqueViolation(error)) return db.tx(findAndLink);
    throw error;
  });
  await deps.revocations.refresh();
  return syncAdminRole(deps, settings, user, person.groups);
}

async function findLinkedUser(
  { db }: SessionDeps,
  { issuer, subject }: Person,
): Promise<StoredUser | undefined> {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from users.identities
      where issuer = ${issuer} and subject = ${subject}`,
  );
  return row && findUser(db, row.userId);
}

async function findOrCreateByEmail(
  { db }: SessionDeps,
  settings: OidcProvider,
  person: Person,
): Promise<StoredUser> {
  const { email } = person;
  if (email === undefined || !person.emailVerified)
    throw new Forbidden(
      "email_not_verified",
      "Your identity provider does not confirm your email. Ask your administrator to verify it.",
    );
  if (
    settings.emailDomains &&
    !settings.emailDomains.includes(email.split("@").at(-1) ?? "")
  )
    throw new Forbidden(
      "email_domain_not_allowed",
      "Accounts of this email domain may not sign in. Use another account.",
    );
  const existing = await findForSignIn(db, email);
  if (existing) return existing.user;
  if (!settings.signUp)
    throw new Forbidden(
      "sign_up_closed",
      "You have no account yet. Ask your administrator for an account with this email.",
    );
  return insertUser(db, {
    id: uuidv7(),
    clientId: settings.tenant === ANY_TENANT ? "default" : settings.tenant,
    email,
    name: cutText(person.name, 200) || email,
    roles: ["user"],
    passwordHash: null,
  });
}

async function linkIdentity(
  { db }: SessionDeps,
  { issuer, subject, groups }: Person,
  userId: string,
): Promise<void> {
  const [before] = await db.query<{ groups: string[] }>(
    sql`select groups from users.identities where issuer = ${issuer} and subject = ${subject}`,
  );
  const isSame =
    (before?.groups ?? []).toSorted().join("\n") === groups.toSorted().join("\n");
  const link = () =>
    db.query(sql`insert into users.identities (issuer, subject, user_id, groups)
      values (${issuer}, ${subject}, ${userId}, ${groups})
      on conflict (issuer, subject) do update
      set groups = excluded.groups, last_sign_in_at = now()`);
  try {
    await (isSame ? link() : announcingRoles(db, link));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Forbidden(
      "identity_conflict",
      "The account with your email belongs to another identity of this provider. " +
        "Ask your administrator.",
    );
  }
}

/** Sets the role `admin` from the provider's groups, if `adminGroups` is configured. */
async function syncAdminRole(
  deps: SessionDeps,
  { adminGroups }: OidcProvider,
  user: StoredUser,
  groups: string[],
): Promise<StoredUser> {
  if (!adminGroups) return user;
  const isAdmin = groups.some((group) => adminGroups.includes(group));
  if (isAdmin === user.roles.includes("admin")) return user;
  return setRole(deps, user, "admin", isAdmin);
}
