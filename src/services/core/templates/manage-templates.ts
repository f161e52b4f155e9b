import type { z } from "zod";
import { uuidv7 } from "uuidv7";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Forbidden } from "../../../platform/http/errors.ts";
import {
  managesOrganization,
  type TemplateDeps,
  templateFor,
  toVisibleTemplates,
} from "./access.ts";
import type { NewTemplate, Template, TemplateChange } from "./contract.ts";
import {
  countTemplates,
  insertTemplate,
  removeTemplate,
  updateTemplate,
  listTemplates,
  type TemplateFilter,
} from "./store.ts";

const GAP = /\{\{\s*([a-zA-Z0-9]+)\s*\}\}/g;

/**
 * Creates a template of the organisation, or a personal one.
 * @throws BadRequest `template_invalid`; Forbidden `operator_required` for a template of the
 * organisation; Conflict `too_many_templates`.
 */
export async function createTemplate(
  deps: TemplateDeps,
  user: User,
  { scope, ...fields }: NewTemplate,
): Promise<Template> {
  checkGaps(fields);
  const { db, sharing, maxTemplates } = deps;
  const { userId } = user;
  const isManager = await managesOrganization(deps, user);
  const isPersonal = scope === undefined ? !isManager : scope === "personal";
  if (!isPersonal && !isManager)
    throw new Forbidden(
      "operator_required",
      'Only administrators create templates of the organisation. Send "scope": "personal".',
    );
  const id = uuidv7();
  const ownerId = isPersonal ? userId : null;
  const save = () => insertTemplate(db, { ...fields, id, ownerId, builtIn: false });
  const limit = {
    key: `templates of ${userId}`,
    max: maxTemplates,
    count: () => countTemplates(db, userId),
    code: "too_many_templates",
    message: `You have ${maxTemplates} templates, which is the limit. Delete some first.`,
  };
  if (isPersonal) {
    await sharing.register("template", id, userId);
    await insertWithinLimit(db, limit, save);
  } else await save();
  return templateFor(deps, user, id, "viewer");
}

/**
 * Changes a template.
 * @throws Forbidden `template_built_in` for a change of a built-in template other than `enabled`;
 * BadRequest `template_invalid`; and what `templateFor` and `refuseLocked` throw.
 */
export async function changeTemplate(
  deps: TemplateDeps,
  user: User,
  id: string,
  change: z.output<typeof TemplateChange>,
  lockToken?: number,
): Promise<Template> {
  const { db, sharing } = deps;
  const fields = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
  await db.tx(async () => {
    const current = await templateFor(deps, user, id, "editor", { locked: true });
    if (current.scope === "personal")
      await sharing.refuseLocked("template", id, user.userId, lockToken);
    if (current.builtIn && Object.keys(fields).some((name) => name !== "enabled"))
      throw new Forbidden(
        "template_built_in",
        "Built-in templates can be disabled but not changed. Create a template of your own.",
      );
    const changed = { ...current, ...fields };
    checkGaps(changed);
    await updateTemplate(db, id, changed);
  });
  return templateFor(deps, user, id, "viewer");
}

/** @throws Forbidden `template_built_in`; and what `templateFor` and `refuseLocked` throw. */
export async function deleteTemplate(
  deps: TemplateDeps,
  user: User,
  id: string,
  lockToken?: number,
): Promise<void> {
  const { db, sharing } = deps;
  const { builtIn, scope } = await templateFor(deps, user, id, "owner");
  if (builtIn)
    throw new Forbidden(
      "template_built_in",
      "Built-in templates cannot be deleted. Disable it instead.",
    );
  if (scope === "personal")
    await sharing.refuseLocked("template", id, user.userId, lockToken);
  await removeTemplate(db, id);
  if (scope === "personal") await sharing.forget("template", id);
}

/**
 * The text with each gap replaced by its value or default. Gaps inside a value stay as they are.
 * @throws BadRequest `variable_missing`.
 */
export function fillTemplate(
  { content, variables }: Pick<Template, "content" | "variables">,
  values: Record<string, string>,
): string {
  const missing = variables.find(
    ({ name, required, default: usual }) =>
      required && usual === null && !values[name]?.trim(),
  );
  if (missing)
    throw new BadRequest(
      "variable_missing",
      `Give a value for "${missing.label}" (${missing.name}).`,
      { params: { label: missing.label }, details: { name: missing.name } },
    );
  return content.replace(GAP, (gap, name: string) => {
    const variable = variables.find((candidate) => candidate.name === name);
    if (!variable) return gap;
    return Object.hasOwn(values, name) ? (values[name] ?? "") : (variable.default ?? "");
  });
}

/** Each gap needs a variable, and each variable a gap. @throws BadRequest `template_invalid`. */
function checkGaps({ content, variables }: Pick<Template, "content" | "variables">): void {
  const gaps = new Set([...content.matchAll(GAP)].map(([, name]) => name));
  const names = variables.map(({ name }) => name);
  const unknown = [...gaps].find((name) => !names.includes(name ?? ""));
  if (unknown)
    throw new BadRequest(
      "template_invalid",
      `The text has a gap {{${unknown}}} but no variable of that name. Add the variable.`,
    );
  const unused = names.find(
    (name, index) => !gaps.has(name) || names.indexOf(name) !== index,
  );
  if (unused)
    throw new BadRequest(
      "template_invalid",
      `The variable "${unused}" has no gap in the text, or is a duplicate. Remove it.`,
    );
}

/** Lists templates of the organisation, of the user, and shared with the user, by name. */
export async function listVisibleTemplates(
  deps: TemplateDeps,
  user: User,
  filter: Omit<TemplateFilter, "userId" | "sharedIds">,
  limit: number,
  offset: number,
): Promise<{ items: Template[]; total: number }> {
  const sharedIds =
    filter.scope === "organization"
      ? []
      : await deps.sharing.listShared("template", user.userId);
  const page = await listTemplates(
    deps.db,
    { ...filter, userId: user.userId, sharedIds },
    limit,
    offset,
  );
  return { items: await toVisibleTemplates(deps, user, page.items), total: page.total };
}
