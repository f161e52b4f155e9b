import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/pooled-database.ts";
import { Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { NewUser, UserChange, UserProfile } from "../contract.ts";
import { refuseUnknownRoles } from "../roles/manage-roles.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { endSessions, type SessionDeps } from "./sessions.ts";
import {
  activeAdmins,
  findForSignIn,
  findUser,
  insertUser,
  type StoredUser,
  updateUser,
} from "./users-store.ts";

/** @returns the user, and the password when one had to be made. @throws Conflict `email_taken`. */
export async function createUser(
  db: Database,
  { email, password, name, roles, clientId = "default" }: z.output<typeof NewUser>,
  actor = "service",
): Promise<UserProfile & { password?: string }> {
  const made = password ?? randomBytes(15).toString("base64url");
  await refuseUnknownRoles(db, roles);
  const passwordHash = await hashPassword(made);
  try {
    const user = await db.tx(async () => {
      const inserted = await insertUser(db, {
        id: uuidv7(),
        clientId,
        email,
        name,
        roles,
        passwordHash,
      });
      const details = { email, roles, clientId };
      await recordEvent(db, actor, {
        action: "user.created",
        resourceType: "user",
        resourceId: inserted.id,
        details,
      });
      return inserted;
    });
    return { ...user, ...(password === undefined && { password: made }) };
  } catch (error) {
    throw isUniqueViolation(error) ? emailTaken() : error;
  }
}

/**
 * Disabling, a new password and new roles end the user's sessions: what tokens say must stay true.
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
  const user = await db.tx(async () => {
    if (fields.disabled === true || (fields.roles && !fields.roles.includes("admin")))
      await keepAnAdmin(db, id);
    const details = { ...fields, ...(password !== undefined && { password: "changed" }) };
    await recordEvent(db, actor, {
      action: "user.changed",
      resourceType: "user",
      resourceId: id,
      details,
    });
    if (fields.disabled || fields.roles || password) await endSessions(db, id);
    const changed = await updateUser(db, id, { ...fields, passwordHash }).catch(
      (error: unknown) => {
        throw isUniqueViolation(error) ? emailTaken() : error;
      },
    );
    if (!changed) throw unknownUser();
    return changed;
  });
  await deps.revocations.refresh();
  return user;
}

/**
 * Guessing the current password counts as guessing at sign-in.
 * @throws Forbidden `password_wrong`, TooManyRequests.
 */
export async function changePassword(
  deps: SessionDeps & { guesses: GuessLimit },
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  peer: string,
): Promise<void> {
  const { email } = await getUser(deps.db, userId);
  const right = await deps.guesses.tried(email.toLowerCase(), peer, async () => {
    const stored = await findForSignIn(deps.db, email);
    return (await verifyPassword(currentPassword, stored?.passwordHash ?? null)) || null;
  });
  if (!right) throw new Forbidden("password_wrong", "The current password is wrong.");
  const passwordHash = await hashPassword(newPassword);
  await deps.db.tx(async () => {
    await updateUser(deps.db, userId, { passwordHash });
    await endSessions(deps.db, userId);
  });
  await deps.revocations.refresh();
}

export async function getUser(db: Database, id: string): Promise<StoredUser> {
  const user = await findUser(db, id);
  if (!user) throw unknownUser();
  return user;
}

/**
 * Every tenant keeps one.
 * @throws Conflict `last_administrator`. Locks the administrators until the transaction ends.
 */
export async function keepAnAdmin(db: Database, id: string): Promise<void> {
  const user = await findUser(db, id);
  const admins = user ? await activeAdmins(db, user.clientId) : [];
  if (admins.length === 1 && admins[0] === id)
    throw new Conflict(
      "last_administrator",
      "This is the last administrator. Make another one first.",
    );
}

export function unknownUser(): NotFound {
  return new NotFound("user_not_found", "There is no such user.");
}

function emailTaken(): Conflict {
  return new Conflict("email_taken", "Another user has this email.");
}
