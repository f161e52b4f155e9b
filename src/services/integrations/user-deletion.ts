import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import {
  isOfUser,
  type PersonalKind,
  readPersonalPage,
} from "../../platform/db/personal-page.ts";
import type { UserDeletion } from "../users/contract-user-deletion.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Registry } from "./providers/registry.ts";

const REMOVAL_TIMEOUT_MS = 60_000;

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

export const PERSONAL_KINDS: readonly PersonalKind[] = [
  {
    kind: "flow",
    from: sql`integrations.flows row`,
    key: sql`row.flow_id || ' ' || row.provider`,
    keyType: "text",
    isOf: (userId) => sql`row.owner_id = ${userId}`,
    bytes: sql`octet_length(row.description)`,
    data: sql`jsonb_build_object('flowId', row.flow_id, 'provider', row.provider,
      'name', row.name, 'description', row.description, 'updatedAt', row.updated_at)`,
  },
  {
    kind: "flow-permission",
    from: sql`integrations.flow_permissions row`,
    key: sql`row.flow_id || ' ' || row.provider`,
    keyType: "text",
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`jsonb_build_object('flowId', row.flow_id, 'provider', row.provider,
      'grantedBy', row.granted_by, 'grantedAt', row.granted_at)`,
  },
];

/** A page of this service's data of a user: names of flows and grants, without keys. */
export function personalData(db: Database, userId: string, after: string | undefined) {
  return readPersonalPage(db, PERSONAL_KINDS, userId, after);
}
