import { z } from "zod";
import { limitKeys } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { AccessRole } from "../../users/contract-sharing.ts";
import { lockFailures, lockHeader } from "../contract-locked.ts";

/** Templates of texts, with gaps to fill. See docs/templates.md. */

const VariableName = z
  .string()
  .max(40)
  .regex(/^[a-z][a-zA-Z0-9]{0,39}$/, "a lower-case letter, then letters and digits");
const Variable = z.object({
  name: VariableName,
  label: z.string().min(1).max(200),
  default: z.string().max(10_000).nullable().default(null),
  required: z.boolean().default(true),
});
export type Variable = z.output<typeof Variable>;

const Fields = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).default(""),
  content: z.string().min(1).max(50_000).describe("Each {{variable}} is a gap"),
  variables: z.array(Variable.strict()).max(50).default([]),
  language: z
    .string()
    .max(6)
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "such as en or de-AT")
    .default("en"),
  enabled: z.boolean().default(true),
});
export type TemplateFields = z.output<typeof Fields>;
const Scope = z.enum(["organization", "personal"]);
export const NewTemplate = Fields.extend({
  scope: Scope.optional().describe(
    "Default: `organization` for administrators of the installation, else `personal`",
  ),
});
export type NewTemplate = z.output<typeof NewTemplate>;
export const TemplateChange = z
  .object({
    name: Fields.shape.name,
    description: z.string().max(2_000),
    content: Fields.shape.content,
    variables: z.array(Variable.strict()).max(50),
    language: z
      .string()
      .max(6)
      .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "such as en or de-AT"),
    enabled: z.boolean(),
  })
  .partial();

export const Template = Fields.extend({
  id: z.uuid(),
  scope: Scope,
  ownerId: z.string().nullable().describe("null for templates of the organisation"),
  ownerName: z.string().nullable().describe("Name of the owner; null if there is none"),
  role: AccessRole.describe("What the caller may do: viewers use it, editors change it"),
  builtIn: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Template = z.output<typeof Template>;

const byId = z.object({ id: z.uuid() });
const query = pageQuery.extend({
  language: z.string().max(10).optional(),
  builtInLanguage: z
    .string()
    .max(10)
    .optional()
    .describe("Leaves out the built-in templates of other languages, such as `de`"),
  query: z.string().max(200).optional().describe("Part of the name"),
  scope: Scope.optional(),
});
const base = "/api/v1/templates";

export const templatesContract = {
  listTemplates: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "template:read",
    summary:
      "List templates of the organisation, own ones, and those shared with the caller",
    query,
    ok: pageOf(Template),
  }),
  enabledTemplates: route({
    method: "get",
    path: `${base}/enabled`,
    access: "jwt",
    permission: "template:read",
    summary: "List the enabled templates",
    query,
    ok: pageOf(Template),
  }),
  templatesByIds: route({
    method: "post",
    path: `${base}/by-ids`,
    access: "jwt",
    permission: "template:read",
    changes: "none",
    summary: "Read several templates; unknown ids are left out",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(100) }),
    ok: z.array(Template),
  }),
  getTemplate: route({
    method: "get",
    path: `${base}/:id`,
    access: "jwt",
    permission: "template:read",
    summary: "Read a template",
    params: byId,
    ok: Template,
  }),
  fillTemplate: route({
    method: "post",
    path: `${base}/:id/fill`,
    access: "jwt",
    permission: "template:read",
    changes: "none",
    summary: "Fill the gaps of a template and return its text",
    params: byId,
    body: z.object({
      values: limitKeys(z.record(VariableName, z.string().max(100_000)), 1_000).default({}),
    }),
    maxBody: 8 * 1024 * 1024,
    ok: z.object({ text: z.string() }),
  }),
  createTemplate: route({
    method: "post",
    path: base,
    access: "jwt",
    permission: "template:create",
    changes: "template",
    summary: "Create a personal template, or as an administrator one of the organisation",
    body: NewTemplate,
    status: 201,
    ok: Template,
  }),
  changeTemplate: route({
    method: "patch",
    path: `${base}/:id`,
    access: "jwt",
    permission: "template:update",
    changes: "template/:id",
    summary: "Change a template; built-in ones can only be enabled and disabled",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
    body: TemplateChange,
    ok: Template,
  }),
  deleteTemplate: route({
    method: "delete",
    path: `${base}/:id`,
    access: "jwt",
    permission: "template:delete",
    changes: "template/:id",
    summary: "Delete a template that is not built in",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
  }),
};
