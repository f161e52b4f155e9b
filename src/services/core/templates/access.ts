import type { Database } from "../../../platform/db/database.ts";
import { isOperator, type User } from "../../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { type AccessRole, isAtLeast } from "../../users/contract-sharing.ts";
import type { Sharing } from "../sharing.ts";
import type { FindNames } from "../user-names.ts";
import type { Template } from "./contract.ts";
import { findTemplates, type StoredTemplate } from "./store.ts";

export interface TemplateDeps {
  db: Database;
  guard: Pick<Guard, "allows">;
  sharing: Sharing;
  findNames: FindNames;
  maxTemplates: number;
}

/** Whether a user may create and change templates of the organisation. */
export async function managesOrganization(
  { guard }: Pick<TemplateDeps, "guard">,
  user: User,
): Promise<boolean> {
  return isOperator(user) && (await guard.allows("template:administer", user));
}

/**
 * What a user may do with templates. Those of the organisation are everybody's to use and
 * administrators' to change; personal ones are their owner's, who may share them. The list in
 * `store.ts` says the same in SQL.
 */
async function rolesOf(
  deps: TemplateDeps,
  user: User,
  templates: readonly StoredTemplate[],
): Promise<Map<string, AccessRole>> {
  const organizationRole = (await managesOrganization(deps, user)) ? "owner" : "viewer";
  const roles = new Map<string, AccessRole>();
  const others: string[] = [];
  for (const { id, ownerId } of templates) {
    if (ownerId === null) roles.set(id, organizationRole);
    else if (ownerId === user.userId) roles.set(id, "owner");
    else others.push(id);
  }
  const shared = await deps.sharing.rolesOf("template", others, user.userId);
  for (const [id, role] of shared) roles.set(id, role);
  return roles;
}

/** The templates that a user may see, in their order, with the user's role and the owner's name. */
export async function toVisibleTemplates(
  deps: TemplateDeps,
  user: User,
  templates: readonly StoredTemplate[],
): Promise<Template[]> {
  const roles = await rolesOf(deps, user, templates);
  const owners = templates.flatMap(({ ownerId }) => ownerId ?? []);
  const names = await deps.findNames(owners, user.clientId);
  return templates.flatMap((template) => {
    const role = roles.get(template.id);
    if (!role) return [];
    const { ownerId } = template;
    const scope = ownerId === null ? ("organization" as const) : ("personal" as const);
    const ownerName = ownerId === null ? null : (names.get(ownerId) ?? null);
    return { ...template, scope, ownerName, role };
  });
}

/**
 * A template for a user who needs at least this role; `locked` until the transaction ends.
 * @throws NotFound `template_not_found`, Forbidden `template_read_only`.
 */
export async function templateFor(
  deps: TemplateDeps,
  user: User,
  id: string,
  minimum: AccessRole,
  { locked = false } = {},
): Promise<Template> {
  const [template] = await toVisibleTemplates(
    deps,
    user,
    await findTemplates(deps.db, [id], { locked }),
  );
  if (!template)
    throw new NotFound(
      "template_not_found",
      "This template does not exist, or is not shared. GET /api/v1/templates lists yours.",
    );
  if (!isAtLeast(template.role, minimum))
    throw new Forbidden("template_read_only", reasonFor(template));
  return template;
}

function reasonFor({ scope }: Template): string {
  return scope === "organization"
    ? "Only administrators change templates of the organisation. Create a template of your own."
    : "You may use this template but not change it. Ask its owner.";
}
