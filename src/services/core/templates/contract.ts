import { z } from "zod";
import { limitKeys } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";

/**
 * Texts to begin with, with gaps to fill. Source: requirements 1, "llm-core: templates"; design
 * "Conversation core".
 */

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
  variables: z.array(Variable).max(50).default([]),
  language: z
    .string()
    .max(6)
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "such as en or de-AT")
    .default("en"),
  enabled: z.boolean().default(true),
});
export const NewTemplate = Fields;
export type NewTemplate = z.output<typeof NewTemplate>;
export const TemplateChange = z
  .object({
    name: Fields.shape.name,
    description: z.string().max(2_000),
    content: Fields.shape.content,
    variables: z.array(Variable).max(50),
    language: z
      .string()
      .max(6)
      .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "such as en or de-AT"),
    enabled: z.boolean(),
  })
  .partial();

export const Template = Fields.extend({
  id: z.uuid(),
  builtIn: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Template = z.output<typeof Template>;

const byId = z.object({ id: z.uuid() });
const query = pageQuery.extend({
  language: z.string().max(10).optional(),
  query: z.string().max(200).optional().describe("Part of the name"),
});
const base = "/api/v1/templates";

export const templatesContract = {
  listTemplates: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "template:read",
    summary: "All templates",
    query,
    ok: pageOf(Template),
  }),
  enabledTemplates: route({
    method: "get",
    path: `${base}/enabled`,
    access: "jwt",
    permission: "template:read",
    summary: "Enabled templates",
    query,
    ok: pageOf(Template),
  }),
  templatesByIds: route({
    method: "post",
    path: `${base}/by-ids`,
    access: "jwt",
    permission: "template:read",
    summary: "Several by ids; absent ones are left out",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(100) }),
    ok: z.array(Template),
  }),
  getTemplate: route({
    method: "get",
    path: `${base}/:id`,
    access: "jwt",
    permission: "template:read",
    summary: "One template",
    params: byId,
    ok: Template,
  }),
  fillTemplate: route({
    method: "post",
    path: `${base}/:id/fill`,
    access: "jwt",
    permission: "template:read",
    summary: "Its text with the gaps filled",
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
    access: "operator",
    permission: "template:administer",
    summary: "Create a template",
    body: NewTemplate,
    status: 201,
    ok: Template,
  }),
  changeTemplate: route({
    method: "patch",
    path: `${base}/:id`,
    access: "operator",
    permission: "template:administer",
    summary: "Change a template; of a built-in one only whether it is enabled",
    params: byId,
    body: TemplateChange,
    ok: Template,
  }),
  deleteTemplate: route({
    method: "delete",
    path: `${base}/:id`,
    access: "operator",
    permission: "template:administer",
    summary: "Delete a template that is not built in",
    params: byId,
  }),
};
