import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import { brandingContract as contract } from "../contract-branding.ts";
import { findLogo, readBranding, readLogo, saveBranding } from "./branding.ts";

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
