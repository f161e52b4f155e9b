import { shortenText } from "../../../../platform/shorten-text.ts";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { isUniqueViolation } from "../../../../platform/db/errors.ts";
import { Forbidden } from "../../../../platform/http/errors.ts";
import { announcingRoles } from "../../groups/roles-of-groups.ts";
import { setRole } from "../../accounts/manage-users.ts";
import type { SessionDeps } from "../sessions.ts";
import {
  findForSignIn,
  findUser,
  insertUser,
  type StoredUser,
} from "../../accounts/users-store.ts";
import type { OidcProvider } from "./providers.ts";

/** The claims of an identity provider about a person. */
export interface Person {
  issuer: string;
  subject: string;
  /** The session there, where the provider says it. */
  session: string | undefined;
  email: string | undefined;
  emailVerified: boolean;
  name: string;
  /** Undefined: too many for a token, so that what is known of them stays. */
  groups: string[] | undefined;
}

const ANY_TENANT = "*";

/** The account with the email of a person has a password, which the person has not given yet. */
export class LinkPasswordRequired extends Forbidden {
  readonly person: Person;

  constructor(person: Person) {
    super(
      "link_password_required",
      "An account with a password has your email. Send its password with the code in details " +
        "to POST /api/v1/auth/oidc/link, so that it is linked with your identity provider.",
    );
    this.person = person;
  }
}

/**
 * Finds the user of an identity: the user who was linked before, else the user with the same
 * verified email, else a new user. An unverified email never links a user, because anyone could
 * enter the email of somebody else. A verified one does not link an account that somebody uses with
 * a password: whoever controls the provider, or the mailbox now, is not its owner for that.
 * `provenId`: the account whose password the person gave. A provider signs in users of its own
 * tenant: what it says of users of other tenants is not its business.
 * @throws LinkPasswordRequired, Forbidden `user_disabled`, `account_of_other_tenant`,
 * `email_not_verified`, `email_domain_not_allowed`, `identity_conflict`, `sign_up_closed`.
 */
export async function resolveUser(
  deps: SessionDeps,
  settings: OidcProvider,
  person: Person,
  provenId?: string,
): Promise<StoredUser> {
  const { db } = deps;
  const findAndLink = async () => {
    const linked = await findLinkedUser(deps, person);
    const { user: current, needsPassword } = linked
      ? { user: linked, needsPassword: false }
      : await findOrCreateByEmail(deps, settings, person);
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
    if (needsPassword && current.id !== provenId)
      throw (await hasOtherIdentity(deps, person, current.id))
        ? identityConflict()
        : new LinkPasswordRequired(person);
    await linkIdentity(deps, person, current.id);
    return current;
  };
  const user = await db.tx(findAndLink).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    // another first sign-in of this person made the account at the same time
    return db.tx(findAndLink).catch((again: unknown) => {
      // the email is the userName of another account, which was provisioned with another email
      throw isUniqueViolation(again) ? identityConflict() : again;
    });
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
): Promise<{ user: StoredUser; needsPassword: boolean }> {
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
  if (existing) {
    const { user, passwordHash, awaitsFirstSignIn } = existing;
    const isUsed = passwordHash !== null && !awaitsFirstSignIn;
    return { user, needsPassword: isUsed && !settings.linkByEmail };
  }
  if (!settings.signUp)
    throw new Forbidden(
      "sign_up_closed",
      "You have no account yet. Ask your administrator for an account with this email.",
    );
  const user = await insertUser(db, {
    id: uuidv7(),
    clientId: settings.tenant === ANY_TENANT ? "default" : settings.tenant,
    email,
    name: shortenText(person.name, 200) || email,
    roles: ["user"],
    passwordHash: null,
  });
  return { user, needsPassword: false };
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
    groups === undefined ||
    (before?.groups ?? []).toSorted().join("\n") === groups.toSorted().join("\n");
  const link = () =>
    db.query(sql`insert into users.identities (issuer, subject, user_id, groups)
      values (${issuer}, ${subject}, ${userId}, ${groups ?? before?.groups ?? []})
      on conflict (issuer, subject) do update
      set groups = excluded.groups, last_sign_in_at = now()`);
  try {
    await (isSame ? link() : announcingRoles(db, link));
    // who signs in elsewhere needs no password here
    await db.query(sql`update users.users set password_is_temporary = false
      where id = ${userId} and password_is_temporary`);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw identityConflict();
  }
}

async function hasOtherIdentity(
  { db }: SessionDeps,
  { issuer }: Person,
  userId: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from users.identities where user_id = ${userId} and issuer = ${issuer}`,
  );
  return rows.length > 0;
}

function identityConflict(): Forbidden {
  return new Forbidden(
    "identity_conflict",
    "The account with your email belongs to another identity of this provider. " +
      "Ask your administrator.",
  );
}

/** Sets the role `admin` from the provider's groups, if `adminGroups` is configured. */
async function syncAdminRole(
  deps: SessionDeps,
  { adminGroups }: OidcProvider,
  user: StoredUser,
  groups: string[] | undefined,
): Promise<StoredUser> {
  if (!adminGroups || groups === undefined) return user;
  const isAdmin = groups.some((group) => adminGroups.includes(group));
  if (isAdmin === user.roles.includes("admin")) return user;
  return setRole(deps, user, "admin", isAdmin);
}
