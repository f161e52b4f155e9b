import sql from "sql-template-tag";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import { refuseOutsiders } from "../labels/judge-shares.ts";
import { lockLabels } from "../labels/lock-labels.ts";
import type { Link, LinkSettings, Resource } from "../contract-sharing.ts";
import { requireRole } from "./features-store.ts";

interface LinkRow extends Omit<Link, "expiresAt"> {
  expiresAt: Date | null;
}

const COLUMNS = sql`enabled, access_level as "accessLevel", expires_at as "expiresAt",
  allowed_users as "allowedUsers"`;
const NO_LINK: Link = {
  enabled: false,
  accessLevel: "viewer",
  expiresAt: null,
  allowedUsers: null,
};

export async function getLink(
  db: Database,
  userId: string,
  resource: Resource,
): Promise<Link> {
  const { featureId } = await requireRole(db, userId, resource, "owner");
  const [row] = await db.query<LinkRow>(
    sql`select ${COLUMNS} from users.links where feature_id = ${featureId}`,
  );
  return row ? toLink(row) : NO_LINK;
}

/**
 * Replaces the link settings of a resource that the user owns.
 * @throws Forbidden `label_forbids_sharing`.
 */
export async function setLink(
  db: Database,
  userId: string,
  { resourceType, resourceId }: Resource,
  {
    enabled,
    accessLevel,
    expiresAt = null,
    allowedUsers = null,
  }: z.output<typeof LinkSettings>,
): Promise<Link> {
  const { featureId, clientId } = await requireRole(
    db,
    userId,
    { resourceType, resourceId },
    "owner",
  );
  return db.tx(async () => {
    await lockLabels(db, clientId);
    if (enabled) await refuseOutsiders(db, featureId, { link: { allowedUsers } });
    const [row] =
      await db.query<LinkRow>(sql`insert into users.links (feature_id, enabled, access_level,
        expires_at, allowed_users)
      values (${featureId}, ${enabled}, ${accessLevel}, ${expiresAt}::timestamptz,
      ${allowedUsers}::text[])
      on conflict (feature_id) do update
      set enabled = excluded.enabled, access_level = excluded.access_level,
        expires_at = excluded.expires_at, allowed_users = excluded.allowed_users, updated_at = now()
      returning ${COLUMNS}`);
    if (!row) throw new Error("an insert returned no row");
    const link = toLink(row);
    await recordEvent(db, userId, {
      action: "link.changed",
      resourceType,
      resourceId,
      details: { ...link },
    });
    return link;
  });
}

function toLink(row: LinkRow): Link {
  return { ...row, expiresAt: row.expiresAt?.toISOString() ?? null };
}
