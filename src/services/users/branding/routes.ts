import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import { type Branding, brandingContract as contract } from "../contract-branding.ts";
import { readLogo } from "./read-logo.ts";
import { findBranding, findLogo, saveBranding } from "./store.ts";

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
