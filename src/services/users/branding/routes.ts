import type { Database } from "../../../platform/db/database.ts";
import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import {
  type Branding,
  brandingContract as contract,
  MAX_LOGO_BYTES,
} from "../contract-branding.ts";
import { findBranding, findLogo, type Logo, saveBranding } from "./store.ts";

export function brandingRoutes(routes: Routes, { db }: { db: Database }): void {
  routes
    .on(contract.changeBranding, async ({ caller, body: { logo, ...rest } }) => {
      const picture = logo === undefined || logo === null ? logo : readLogo(logo);
      await db.tx(async () => {
        await saveBranding(db, { ...rest, logo: picture });
        await recordEvent(db, actorOf(caller), {
          action: "branding.changed",
          resourceType: "branding",
          resourceId: "installation",
          details: { ...rest, ...(logo !== undefined && { logo: picture?.type ?? null }) },
        });
      });
      return readBranding(db);
    })
    .on(contract.logo, async () => {
      const logo = await findLogo(db);
      if (!logo)
        throw new NotFound(
          "logo_not_found",
          "This installation has no logo. Show its name instead.",
        );
      return new Response(new Uint8Array(logo.bytes), {
        headers: {
          "content-type": logo.type,
          // its address changes with it
          "cache-control": "public, max-age=31536000, immutable",
        },
      });
    });
}

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

const RIFF_TYPE_OFFSET = 8;

/**
 * Decodes a picture, whose bytes say what it is. SVG is not accepted: it can contain scripts.
 * @throws BadRequest `logo_unreadable`, `logo_too_large`.
 */
function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_LOGO_BYTES)
    throw new BadRequest(
      "logo_too_large",
      `A logo has at most ${MAX_LOGO_BYTES} bytes. Make the picture smaller.`,
      { params: { maxBytes: MAX_LOGO_BYTES } },
    );
  const type = typeOf(bytes);
  if (type === undefined)
    throw new BadRequest(
      "logo_unreadable",
      "A logo is a PNG, JPEG or WebP picture. Send one of these.",
    );
  return { bytes, type };
}

function typeOf(bytes: Buffer): string | undefined {
  const startsWith = (text: string, offset = 0) =>
    bytes.toString("latin1", offset, offset + text.length) === text;
  if (startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (startsWith("RIFF") && startsWith("WEBP", RIFF_TYPE_OFFSET)) return "image/webp";
  return undefined;
}
