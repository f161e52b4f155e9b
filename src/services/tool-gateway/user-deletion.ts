import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import {
  isOfUser,
  type PersonalKind,
  readPersonalPage,
} from "../../platform/db/personal-page.ts";
import type { UserDeletion } from "../users/contract-user-deletion.ts";

/** Forgets a deleted user's accounts at tool servers, which nobody receives. Idempotent. */
export async function forgetUser(db: Database, { userId }: UserDeletion): Promise<void> {
  await db.query(sql`delete from tool_gateway.sign_ins where user_id = ${userId}`);
  await db.query(sql`delete from tool_gateway.connections where user_id = ${userId}`);
  await db.query(sql`delete from tool_gateway.user_values where user_id = ${userId}`);
}

export const PERSONAL_KINDS: readonly PersonalKind[] = [
  {
    kind: "tool-connection",
    from: sql`tool_gateway.connections row`,
    key: sql`row.server`,
    keyType: "text",
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`jsonb_build_object('server', row.server, 'url', row.url, 'scopes', row.scopes,
      'connectedAt', row.connected_at)`,
  },
  {
    kind: "tool-values",
    from: sql`tool_gateway.user_values row`,
    key: sql`row.server`,
    keyType: "text",
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`jsonb_build_object('server', row.server, 'url', row.url, 'filledAt', row.filled_at)`,
  },
];

/**
 * A page of this service's data of a user: where they have an account, without its tokens and
 * without what they filled in.
 */
export function personalData(db: Database, userId: string, after: string | undefined) {
  return readPersonalPage(db, PERSONAL_KINDS, userId, after);
}
