import { z } from "zod";
import { jsonObject, storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

/** Who did what to which resource. Source: issue "Audit log". */

export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  actorId: z.string().describe("A user's id, or the kind of caller: service"),
  actorName: z.string().nullable().describe("null: a service, or a user who was deleted"),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.string(),
  details: z.record(z.string(), z.unknown()),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const Filter = z.object({
  actorId: Id.optional(),
  action: Id.optional().describe(
    "The whole action (share.created), or its beginning with a dot at its end (share.)",
  ),
  resourceType: Id.optional(),
  resourceId: Id.optional(),
  from: storableTime().optional(),
  to: storableTime().optional().describe("Exclusive"),
});
export type AuditFilter = z.output<typeof Filter>;

const Name = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_.-]{0,99}$/);

export const auditContract = {
  listAudit: route({
    method: "get",
    path: "/api/v1/audit",
    access: "admin",
    permission: "audit:administer",
    summary: "The audit log, the newest first",
    query: pageQuery.extend(Filter.shape),
    ok: pageOf(AuditEntry),
  }),
  exportAudit: route({
    method: "get",
    path: "/api/v1/audit/export",
    produces: ["text/csv", "application/x-ndjson"],
    access: "admin",
    permission: "audit:administer",
    summary: "The audit log as a file: CSV, or one JSON object a line",
    query: Filter.extend({ format: z.enum(["csv", "json"]).default("csv") }),
  }),
  recordAudit: route({
    method: "post",
    path: "/api/v1/audit",
    access: "user-secret",
    summary: "Write down what somebody did at another service",
    body: z.object({
      actorId: Id,
      action: Name,
      resourceType: Name,
      resourceId: z.string().max(500),
      details: jsonObject().default({}),
    }),
  }),
};
