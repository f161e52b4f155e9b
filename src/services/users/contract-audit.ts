import { z } from "zod";
import { jsonObject, storableTime } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { Id } from "./contract-subjects.ts";

/** The audit log: who did what to which resource. */

/**
 * Every action: what services record by themselves, in the past tense, and what administrators do
 * at other routes, by the method.
 */
export const AUDIT_ACTIONS = [
  "automation.rule_changed",
  "automation.rule_created",
  "automation.rule_deleted",
  "branding.changed",
  "budget.create",
  "budget.delete",
  "budget.update",
  "flow.granted",
  "flow.revoked",
  "group.changed",
  "group.created",
  "group.deleted",
  "group.member_added",
  "group.member_removed",
  "group.nested",
  "group.unnested",
  "label.changed",
  "label.created",
  "label.deleted",
  "label.set",
  "link.changed",
  "lock.forced",
  "model.create",
  "model.delete",
  "model.update",
  "queue.create",
  "mcp_client.granted",
  "mcp_client.revoked",
  "queue.delete",
  "role.changed",
  "role.created",
  "role.deleted",
  "scim_token.created",
  "scim_token.revoked",
  "share.created",
  "share.revoked",
  "sign_in.limited",
  "tool.create",
  "tool.delete",
  "tool.update",
  "user.changed",
  "user.created",
  "user.deleted",
  "user.erased",
  "user.erasure_failed",
  "user.exported",
  "user.sessions_ended",
  "user.set_up",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  actorId: z
    .string()
    .describe(
      "The id of a user, `scim:` and a token's, or the kind of caller, as `service`",
    ),
  actorName: z
    .string()
    .nullable()
    .describe("Of a user or a SCIM token; null for services and deleted users"),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.string(),
  resourceName: z
    .string()
    .nullable()
    .describe(
      "Of a user or a group as it is now, else as it was recorded; null if unknown",
    ),
  otherName: z
    .string()
    .nullable()
    .describe("Of the user or group that the details name, such as a new member"),
  details: z.record(z.string(), z.unknown()),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const Filter = z.object({
  actorId: Id.optional(),
  action: Id.optional().describe(
    "An action (share.created), or a prefix that ends with a dot (share.)",
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
    summary: "List the audit log, newest entries first",
    query: pageQuery.extend(Filter.shape),
    ok: pageOf(AuditEntry),
  }),
  exportAudit: route({
    method: "get",
    path: "/api/v1/audit/export",
    produces: ["text/csv", "application/x-ndjson"],
    access: "admin",
    permission: "audit:administer",
    summary: "Export the audit log as CSV, or as one JSON object per line",
    query: Filter.extend({ format: z.enum(["csv", "json"]).default("csv") }),
  }),
  recordAudit: route({
    method: "post",
    path: "/api/v1/audit",
    access: "user-secret",
    changes: "none",
    summary: "Record an action at another service",
    body: z.object({
      actorId: Id,
      action: Name,
      resourceType: Name,
      resourceId: z.string().max(500),
      details: jsonObject().default({}),
    }),
  }),
};
