import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

export interface StoredBranding {
  name: string | null;
  accent: string | null;
  notice: string | null;
  noticeUntil: Date | null;
  /** Changes with each change, and so with each logo. */
  updatedAt: Date;
  hasLogo: boolean;
}

export interface Logo {
  bytes: Uint8Array;
  type: string;
}

export async function findBranding(db: Database): Promise<StoredBranding | undefined> {
  const [row] = await db.query<StoredBranding>(sql`select name, accent, notice,
    notice_until as "noticeUntil", updated_at as "updatedAt", logo is not null as "hasLogo"
    from users.branding`);
  return row;
}

export async function findLogo(db: Database): Promise<Logo | undefined> {
  const [row] = await db.query<Logo>(
    sql`select logo as bytes, logo_type as type from users.branding where logo is not null`,
  );
  return row;
}

interface Change {
  name?: string | null | undefined;
  accent?: string | null | undefined;
  notice?: { text: string; until: string | null } | null | undefined;
  logo?: Logo | null | undefined;
}

/** Changes the given fields. */
export async function saveBranding(db: Database, change: Change): Promise<void> {
  const { name, accent, notice, logo } = change;
  const sets: Sql[] = [sql`updated_at = now()`];
  if (name !== undefined) sets.push(sql`name = ${name}`);
  if (accent !== undefined) sets.push(sql`accent = ${accent}`);
  if (notice !== undefined) {
    sets.push(sql`notice = ${notice?.text ?? null}`);
    sets.push(sql`notice_until = ${notice?.until ?? null}::timestamptz`);
  }
  if (logo !== undefined) {
    sets.push(sql`logo = ${logo ? Buffer.from(logo.bytes) : null}::bytea`);
    sets.push(sql`logo_type = ${logo?.type ?? null}`);
  }
  await db.query(sql`insert into users.branding default values on conflict do nothing`);
  await db.query(sql`update users.branding set ${join(sets)}`);
}
