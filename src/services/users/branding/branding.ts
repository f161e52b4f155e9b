import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { imageTypeOf } from "../../../platform/image-type.ts";
import {
  type Branding,
  brandingContract as contract,
  MAX_LOGO_BYTES,
} from "../contract-branding.ts";

/** How the installation presents itself now; a notice that is over is left out. */
export async function readBranding(db: Database, now = new Date()): Promise<Branding> {
  const stored = await findBranding(db);
  if (!stored) return { name: null, accent: null, logo: null, notice: null };
  const { name, accent, notice, noticeUntil, hasLogo, updatedAt } = stored;
  const isOver = noticeUntil !== null && noticeUntil <= now;
  return {
    name,
    accent,
    logo: hasLogo ? `${contract.logo.path}?v=${updatedAt.getTime()}` : null,
    notice:
      notice === null || isOver
        ? null
        : { text: notice, until: noticeUntil?.toISOString() ?? null },
  };
}

interface StoredBranding {
  name: string | null;
  accent: string | null;
  notice: string | null;
  noticeUntil: Date | null;
  /** Changes with each change, and so with each logo. */
  updatedAt: Date;
  hasLogo: boolean;
}

interface Logo {
  bytes: Uint8Array;
  type: string;
}

async function findBranding(db: Database): Promise<StoredBranding | undefined> {
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

/** GIF is not accepted: a logo does not move. */
const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"];

/**
 * Decodes a picture, whose bytes say what it is. SVG is not accepted: it can contain scripts.
 * @throws BadRequest `logo_unreadable`, `logo_too_large`.
 */
export function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_LOGO_BYTES)
    throw new BadRequest(
      "logo_too_large",
      `A logo has at most ${MAX_LOGO_BYTES} bytes. Make the picture smaller.`,
      { params: { maxBytes: MAX_LOGO_BYTES } },
    );
  const type = imageTypeOf(bytes);
  if (type === undefined || !LOGO_TYPES.includes(type))
    throw new BadRequest(
      "logo_unreadable",
      "A logo is a PNG, JPEG or WebP picture. Send one of these.",
    );
  return { bytes, type };
}
