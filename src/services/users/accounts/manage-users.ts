import sql from "sql-template-tag";
import type { z } from "zod";
import { uuidv7 } from "uuidv7";
import { randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { NewUser, UserChange, UserProfile } from "../contract.ts";
import { tenantOf } from "../groups/change-group.ts";
import { refuseUnknownRoles } from "../roles/manage-roles.ts";
import type { GuessLimit } from "../sign-in/limit-guesses.ts";
import { hashPassword, verifyPassword } from "../sign-in/password.ts";
import { endGrantsOf } from "../mcp-clients/grants.ts";
import { announceRoleChange } from "../sign-in/revocations-store.ts";
import { endSessions, type SessionDeps } from "../sign-in/sessions.ts";
import {
  lockActiveAdmins,
  findForSignIn,
  findUser,
  insertUser,
  lockUser,
  type StoredUser,
  updateUser,
  type UserFields,
} from "./users-store.ts";

/** @returns the user, with the password if it was generated. @throws Conflict `email_taken`. */
export async function createUser(
  db: Database,
  { email, password, name, roles, clientId = "default" }: z.output<typeof NewUser>,
  actor = "service",
): Promise<UserProfile & { password?: string }> {
  const initialPassword = password ?? randomToken(15);
  await refuseUnknownRoles(db, roles);
  const passwordHash = await hashPassword(initialPassword);
  try {
    const user = await db.tx(async () => {
      const inserted = await insertUser(db, {
        id: uuidv7(),
        clientId,
        email,
        name,
        roles,
        passwordHash,
        // the web app's sign-up is the only maker that is no user
        signedUp: actor === "service",
      });
      if (password === undefined)
        await db.query(
          sql`update users.users set awaits_first_sign_in = true,
            password_is_temporary = true where id = ${inserted.id}`,
        );
      const details = { email, roles, clientId };
      await recordEvent(db, actor, {
        action: "user.created",
        resourceType: "user",
        resourceId: inserted.id,
        details,
      });
      return inserted;
    });
    return password === undefined ? { ...user, password: initialPassword } : user;
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error;
  }
}

/**
 * Changes a user. Disabling, a new password and new roles end the user's sessions, because their
 * tokens carry outdated claims.
 */
export async function changeUser(
  deps: SessionDeps,
  id: string,
  { password, ...fields }: z.output<typeof UserChange>,
  actor = "service",
): Promise<StoredUser> {
  const { db } = deps;
  if (fields.roles) await refuseUnknownRoles(db, fields.roles);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const passwordIsTemporary = password === undefined ? undefined : actor !== id;
  const change = { ...fields, passwordHash, passwordIsTemporary };
  const user = await db.tx(() => applyChange(db, id, change, actor));
  await deps.revocations.refresh();
  return user;
}

/**
 * Adds a role to a user, or takes it away, unless another request did so before: that would end the
 * sessions which started since.
 */
export async function setRole(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  { id, clientId }: StoredUser,
  role: string,
  isGiven: boolean,
): Promise<StoredUser> {
  const user = await db.tx(async () => {
    // in the order of refuseLastAdmin, so that two transactions do not wait for each other
    if (!isGiven) await lockActiveAdmins(db, clientId);
    const current = await lockUser(db, id);
    if (!current) throw unknownUser();
    if (current.roles.includes(role) === isGiven) return current;
    const others = current.roles.filter((one) => one !== role);
    const roles = isGiven ? [...others, role] : others;
    return applyChange(db, id, { roles }, "service");
  });
  await revocations.refresh();
  return user;
}

/** Called in a transaction; the caller refreshes `revocations` after the commit. */
export async function applyChange(
  db: Database,
  id: string,
  { passwordHash, passwordIsTemporary, ...fields }: UserFields,
  actor: string,
): Promise<StoredUser> {
  const isNewPassword = passwordHash !== undefined;
  if (fields.disabled === true || (fields.roles && !fields.roles.includes("admin")))
    await refuseLastAdmin(db, id);
  await recordEvent(db, actor, {
    action: "user.changed",
    resourceType: "user",
    resourceId: id,
    details: { ...fields, ...(isNewPassword && { password: "changed" }) },
  });
  if (fields.disabled || fields.roles || isNewPassword) await endSessions(db, id);
  // API keys go on, with the new roles
  if (fields.roles) await announceRoleChange(db);
  if (isNewPassword) await endGrantsOf(db, id);
  const changed = await updateUser(db, id, {
    ...fields,
    passwordHash,
    passwordIsTemporary,
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? emailTaken() : error;
  });
  if (!changed) throw unknownUser();
  return changed;
}

/**
 * Changes a password. Wrong current passwords count as wrong passwords at sign-in. Of two
 * concurrent changes the first succeeds: the current password that the other was given is no longer
 * current. The same holds for a change that ended the user's sessions in the meantime.
 * @throws Forbidden `password_wrong`, TooManyRequests.
 */
export async function changePassword(
  deps: SessionDeps & { guesses: GuessLimit },
  { id: userId, email }: Pick<StoredUser, "id" | "email">,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  peer: string,
): Promise<void> {
  const verified = await verifyOwnPassword(deps, email, currentPassword, peer);
  const passwordHash = await hashPassword(newPassword);
  await deps.db.tx(async () => {
    const current = await deps.db.query(sql`select id from users.users
      where id = ${userId} and session_epoch = ${verified.sessionEpoch} for update`);
    if (current.length === 0) throw passwordWrong();
    await updateUser(deps.db, userId, { passwordHash, passwordIsTemporary: false });
    await endSessions(deps.db, userId);
    await endGrantsOf(deps.db, userId);
  });
  await deps.revocations.refresh();
}

/**
 * Wrong passwords count as wrong passwords at sign-in.
 * @throws Forbidden `password_wrong`, TooManyRequests.
 */
export async function verifyOwnPassword(
  { db, guesses }: { db: Database; guesses: GuessLimit },
  email: string,
  password: string,
  peer: string,
): Promise<StoredUser> {
  const verified = await guesses.verifyLimited(email.toLowerCase(), peer, async () => {
    const stored = await findForSignIn(db, email);
    const isCorrect = await verifyPassword(password, stored?.passwordHash ?? null);
    return stored && isCorrect ? stored.user : null;
  });
  if (!verified) throw passwordWrong();
  return verified;
}

export async function getUser(db: Database, id: string): Promise<StoredUser> {
  const user = await findUser(db, id);
  if (!user) throw unknownUser();
  return user;
}

function passwordWrong(): Forbidden {
  return new Forbidden("password_wrong", "The current password is wrong. Try again.");
}

/** A user of the caller's tenant; any user for services. @throws NotFound `user_not_found`. */
export async function getUserFor(db: Database, caller: Caller, id: string) {
  const user = await getUser(db, id);
  const tenant = tenantOf(caller);
  if (tenant !== undefined && tenant !== user.clientId) throw unknownUser();
  return user;
}

/** Ends all sessions of a user, and what they granted; their API keys and password stay. */
export async function endAllSessions(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  id: string,
  actor: string,
): Promise<void> {
  await db.tx(async () => {
    await endSessions(db, id);
    await endGrantsOf(db, id, "sessions", actor);
    await recordEvent(db, actor, {
      action: "user.sessions_ended",
      resourceType: "user",
      resourceId: id,
    });
  });
  await revocations.refresh();
}

/**
 * Every tenant needs an administrator. Locks the administrators until the transaction ends.
 * @throws Conflict `last_administrator`.
 */
export async function refuseLastAdmin(db: Database, id: string): Promise<void> {
  const user = await findUser(db, id);
  const admins = user ? await lockActiveAdmins(db, user.clientId) : [];
  if (admins.length === 1 && admins[0] === id)
    throw new Conflict(
      "last_administrator",
      "This is the last administrator. Make another user an administrator first.",
    );
}

export function unknownUser(): NotFound {
  return new NotFound(
    "user_not_found",
    "This user does not exist. GET /api/v1/users lists the users.",
  );
}

function emailTaken(): Conflict {
  return new Conflict("email_taken", "Another user has this email. Use another one.");
}
