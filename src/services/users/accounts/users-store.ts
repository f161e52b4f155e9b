import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { UserProfile, UserQuery } from "../contract.ts";
import { uuidOrNull } from "../user-id.ts";
import { usersWithRole } from "../groups/users-with-role.ts";

export interface StoredUser extends UserProfile {
  /** Increases whenever all sessions of the user are ended. */
  sessionEpoch: number;
  /** Whether an administrator chose it. */
  passwordIsTemporary: boolean;
}

interface UserRow extends Omit<StoredUser, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`id, email, name, roles, client_id as "clientId", disabled,
  session_epoch as "sessionEpoch", password_is_temporary as "passwordIsTemporary",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Users of another issuer, whose ids may be any text, are not found. */
export async function findUser(db: Database, id: string): Promise<StoredUser | undefined> {
  const [row] = await db.query<UserRow>(
    sql`select ${COLUMNS} from users.users where id = ${uuidOrNull(id)}::uuid`,
  );
  return row && toUser(row);
}

/** The user, who cannot change until the transaction ends. */
export async function lockUser(db: Database, id: string): Promise<StoredUser | undefined> {
  const [row] = await db.query<UserRow>(
    sql`select ${COLUMNS} from users.users where id = ${id} for update`,
  );
  return row && toUser(row);
}

interface ForSignIn {
  user: StoredUser;
  passwordHash: string | null;
  /** An administrator made it without a password, and nobody has signed in to it. */
  awaitsFirstSignIn: boolean;
}

/** Uses the unique index on lower(email). */
export async function findForSignIn(
  db: Database,
  email: string,
): Promise<ForSignIn | undefined> {
  const [row] = await db.query<UserRow & Omit<ForSignIn, "user">>(sql`
    select ${COLUMNS}, password_hash as "passwordHash",
      awaits_first_sign_in as "awaitsFirstSignIn"
    from users.users where lower(email) = lower(${email})`);
  if (!row) return undefined;
  const { passwordHash, awaitsFirstSignIn } = row;
  return { user: toUser(row), passwordHash, awaitsFirstSignIn };
}

/** Users of one tenant: one page of those that the query asks for. */
export async function listUsers(
  db: Database,
  clientId: string,
  query: z.output<typeof UserQuery>,
): Promise<{ items: UserProfile[]; total: number }> {
  const conditions = [sql`client_id = ${clientId}`];
  if (query.query !== undefined) conditions.push(namesContain(query.query));
  if (query.role !== undefined)
    conditions.push(sql`id::text in (${usersWithRole(clientId, query.role)})`);
  if (query.disabled !== undefined) conditions.push(sql`disabled = ${query.disabled}`);
  const where = join(conditions, " and ");
  const order = query.sort === "name" ? sql`lower(name), id` : sql`id`;
  const rows = await db.query<UserRow>(
    sql`select ${COLUMNS} from users.users where ${where} order by ${order}
      limit ${query.limit} offset ${offsetOf(query)}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.users where ${where}`,
  );
  return { items: rows.map(toUser), total: count?.total ?? 0 };
}

/** Finds words anywhere in the name or the email, in any case, without diacritics. */
export function namesContain(words: string): Sql {
  // the column is the name and the email, folded when they are stored, with a line break between
  return sql`strpos(search_text, users.fold_text(${words})) > 0`;
}

export async function insertUser(
  db: Database,
  user: {
    id: string;
    clientId: string;
    email: string;
    name: string;
    roles: string[];
    passwordHash: string | null;
    /** Whether nobody but the user made the account. */
    signedUp?: boolean;
  },
): Promise<StoredUser> {
  const [row] = await db.query<UserRow>(sql`
      insert into users.users (id, client_id, email, name, roles, password_hash, signed_up)
      values (${user.id}, ${user.clientId}, ${user.email}, ${user.name}, ${user.roles},
        ${user.passwordHash}, ${user.signedUp ?? false})
      returning ${COLUMNS}`);
  if (!row) throw new Error("an insert returned no row");
  return toUser(row);
}

export interface UserFields {
  email?: string | undefined;
  name?: string | undefined;
  roles?: string[] | undefined;
  disabled?: boolean | undefined;
  passwordHash?: string | undefined;
  passwordIsTemporary?: boolean | undefined;
}

export async function updateUser(
  db: Database,
  id: string,
  fields: UserFields,
): Promise<StoredUser | undefined> {
  const newOrCurrent = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  const [row] = await db.query<UserRow>(sql`update users.users set updated_at = now(),
    email = ${newOrCurrent(fields.email, sql`email`)},
    name = ${newOrCurrent(fields.name, sql`name`)},
    roles = ${newOrCurrent(fields.roles, sql`roles`)},
    disabled = ${newOrCurrent(fields.disabled, sql`disabled`)},
    password_hash = ${newOrCurrent(fields.passwordHash, sql`password_hash`)},
    password_is_temporary =
      ${newOrCurrent(fields.passwordIsTemporary, sql`password_is_temporary`)}
    where id = ${id} returning ${COLUMNS}`);
  return row && toUser(row);
}

export async function removeUser(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from users.users where id = ${id}`);
}

/**
 * Ids of the administrators of a tenant who can sign in. Locks them until the transaction ends, so
 * that two changes cannot remove the last two at once.
 */
export async function lockActiveAdmins(db: Database, clientId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from users.users
      where 'admin' = any(roles) and not disabled and client_id = ${clientId}
      order by id for update`,
  );
  return rows.map(({ id }) => id);
}

function toUser(row: UserRow): StoredUser {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
