import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { Conflict, TooLarge } from "../../platform/http/errors.ts";

/** @throws Conflict `too_many_versions`. Versions are counted from 1, and each one is kept. */
export function refuseManyVersions(version: number, max: number): void {
  if (version > max)
    throw new Conflict(
      "too_many_versions",
      `There are ${max} versions, the most that are kept. Copy the newest, and change the copy.`,
      { params: { max } },
    );
}

/**
 * Call it before a version of a canvas or an agent is stored. All versions count, also those in the
 * trash. Requests at the same time may exceed the quota by what they bring.
 * @throws TooLarge `versions_quota_exceeded`
 */
export async function refuseBeyondQuota(
  db: Database,
  ownerId: string,
  text: string,
  maxBytes: number,
): Promise<void> {
  const [stored] = await db.query<{ bytes: number }>(
    // each part has an index, and both parts of a table together have none
    sql`select (select coalesce(sum(bytes), 0) from (
        select bytes from core.canvases where user_id = ${ownerId} and deleted_at is null
        union all
        select bytes from core.canvases where user_id = ${ownerId} and deleted_at is not null
        union all
        select bytes from core.agents where owner_id = ${ownerId} and deleted_at is null
        union all
        select bytes from core.agents where owner_id = ${ownerId} and deleted_at is not null
      ) stored)::float8 as bytes`,
    { name: "core-versions-bytes" },
  );
  if ((stored?.bytes ?? 0) + Buffer.byteLength(text) <= maxBytes) return;
  throw new TooLarge(
    "versions_quota_exceeded",
    `With this, the versions of the owner's canvases and agents would exceed ${maxBytes} bytes. ` +
      "Delete some first, and delete them from the trash.",
    { params: { maxBytes } },
  );
}
