import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { PersonalRecord, UserDeletion } from "../users/contract-user-deletion.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Registry } from "./providers/registry.ts";

const REMOVAL_TIMEOUT_MS = 60_000;
const FLOWS_A_PAGE = 500;

interface Deps {
  db: Database;
  registry: Registry;
  accounts: Accounts;
}

/**
 * Deletes a user's key and permissions. Flows become the recipient's but stay in the deleted user's
 * account, because the provider cannot transfer them. Without a recipient, the account is deleted
 * with everything in it. Idempotent.
 */
export async function forgetUser(
  { db, registry, accounts }: Deps,
  deletion: UserDeletion,
): Promise<void> {
  const { userId, transferTo } = deletion;
  await db.tx(async () => {
    await db.query(sql`delete from integrations.flow_keys where user_id = ${userId}`);
    await db.query(
      sql`delete from integrations.flow_permissions where user_id = ${userId}`,
    );
    if (transferTo !== null)
      await db.query(
        sql`update integrations.flows set owner_id = ${transferTo} where owner_id = ${userId}`,
      );
    else {
      const theirs = sql`select provider, flow_id from integrations.flows where owner_id = ${userId}`;
      await db.query(
        sql`delete from integrations.flow_permissions where (provider, flow_id) in (${theirs})`,
      );
      await db.query(sql`delete from integrations.flows where owner_id = ${userId}`);
    }
  });
  const [inUse] = await db.query(
    sql`select 1 as one from integrations.flows where account_user_id = ${userId} limit 1`,
  );
  for (const provider of registry.all) {
    accounts.forget(provider, userId);
    if (!inUse)
      await provider.users.remove(
        provider.users.usernameFor(userId),
        AbortSignal.timeout(REMOVAL_TIMEOUT_MS),
      );
  }
}

/** This service's data of a user: names of flows and grants, without keys. */
export async function personalData(
  db: Database,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  const rows = await db.query<{
    id: string;
    data: Record<string, unknown>;
  }>(sql`select flow_id as id, jsonb_build_object('flowId', flow_id,
      'provider', provider, 'name', name, 'description', description, 'updatedAt', updated_at) as data
    from integrations.flows where owner_id = ${userId} and flow_id > ${after ?? ""} order by flow_id limit ${FLOWS_A_PAGE}`);
  const records = rows.map(({ data }): PersonalRecord => ({ kind: "flow", data }));
  if (after === undefined) {
    const granted = await db.query<{
      data: Record<string, unknown>;
    }>(sql`select jsonb_build_object('flowId', flow_id, 'provider', provider,
        'grantedBy', granted_by, 'grantedAt', granted_at) as data from integrations.flow_permissions where user_id = ${userId} order by flow_id`);
    records.push(...granted.map(({ data }) => ({ kind: "flow-permission", data })));
  }
  return { records, next: rows.length < FLOWS_A_PAGE ? null : (rows.at(-1)?.id ?? null) };
}
