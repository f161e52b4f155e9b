import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { type AuditAction, auditContract as contract } from "../contract-audit.ts";
import { exportAudit, listAudit } from "./read-audit.ts";
import { recordEvent } from "./record-event.ts";

export function auditRoutes(routes: Routes, db: Database): void {
  routes
    .on(contract.listAudit, ({ caller, query: { page, limit: most, ...query } }) =>
      readPage({ page, limit: most }, (limit, offset) =>
        listAudit(db, { ...query, clientId: userOf(caller).clientId }, limit, offset),
      ),
    )
    .on(contract.exportAudit, ({ caller, query: { format, ...query } }) => {
      const filter = { ...query, clientId: userOf(caller).clientId };
      const type = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
      const fileName = format === "csv" ? "audit.csv" : "audit.ndjson";
      return new Response(exportAudit(db, filter, format), {
        headers: {
          "content-type": type,
          "content-disposition": `attachment; filename="${fileName}"`,
          "cache-control": "no-store",
        },
      });
    })
    .on(contract.recordAudit, ({ body: { actorId, ...event } }) =>
      // the caller's version may have other actions than this one
      recordEvent(db, actorId, { ...event, action: event.action as AuditAction }),
    );
}
