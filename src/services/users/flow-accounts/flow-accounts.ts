import sql from "sql-template-tag";
import type { z } from "zod";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type {
  FlowAccount,
  FlowAccountChange,
  NewFlowAccount,
} from "../contract-flow-accounts.ts";

export interface AccountDeps {
  db: Database;
  /** Encrypts passwords and keys. */
  encryptionKey: string;
}

interface AccountRow extends Omit<FlowAccount, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`user_id as "userId", username, password, api_key as "apiKey",
  created_at as "createdAt", updated_at as "updatedAt"`;

export async function getFlowAccount(
  { db, encryptionKey }: AccountDeps,
  userId: string,
): Promise<FlowAccount> {
  const [row] = await db.query<AccountRow>(
    sql`select ${COLUMNS} from users.flow_accounts where user_id = ${userId}`,
  );
  if (!row) throw accountNotFound();
  return decryptAccount(row, encryptionKey);
}

/** @throws Conflict `flow_account_exists`. */
export async function createFlowAccount(
  { db, encryptionKey }: AccountDeps,
  account: z.output<typeof NewFlowAccount>,
) {
  const { userId, username, password, apiKey = null } = account;
  const [row] = await db
    .query<AccountRow>(sql`insert into users.flow_accounts (user_id, username, password, api_key)
      values (${userId}, ${username}, ${sealSecret(password, encryptionKey)},
      ${apiKey && sealSecret(apiKey, encryptionKey)})
      returning ${COLUMNS}`)
    .catch((error: unknown) => {
      throw isUniqueViolation(error)
        ? new Conflict(
            "flow_account_exists",
            "This user already has an account. Change it with PATCH.",
          )
        : error;
    });
  if (!row) throw new Error("an insert returned no row");
  return decryptAccount(row, encryptionKey);
}

export async function changeFlowAccount(
  { db, encryptionKey }: AccountDeps,
  userId: string,
  { username, password, apiKey }: z.output<typeof FlowAccountChange>,
): Promise<FlowAccount> {
  const sealedPassword =
    password === undefined ? null : sealSecret(password, encryptionKey);
  const sealedKey = apiKey && sealSecret(apiKey, encryptionKey);
  const [row] =
    await db.query<AccountRow>(sql`update users.flow_accounts set updated_at = now(),
    username = coalesce(${username ?? null}, username),
    password = coalesce(${sealedPassword}, password),
    api_key = ${sealedKey === undefined ? sql`api_key` : sql`${sealedKey}`}
    where user_id = ${userId} returning ${COLUMNS}`);
  if (!row) throw accountNotFound();
  return decryptAccount(row, encryptionKey);
}

export async function deleteFlowAccount(
  { db }: AccountDeps,
  userId: string,
): Promise<void> {
  const removed = await db.query(
    sql`delete from users.flow_accounts where user_id = ${userId} returning user_id`,
  );
  if (removed.length === 0) throw accountNotFound();
}

function accountNotFound(): NotFound {
  return new NotFound(
    "flow_account_not_found",
    "This user has no account at the flow provider yet. Create a flow first.",
  );
}

function decryptAccount(row: AccountRow, key: string): FlowAccount {
  return {
    ...row,
    password: openSecret(row.password, key),
    apiKey: row.apiKey && openSecret(row.apiKey, key),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
