import type { z } from "zod";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import type { NewTemplate, Template, TemplateChange } from "./contract.ts";
import { findTemplates, removeTemplate, saveTemplate, setTemplateEnabled } from "./store.ts";

const GAP = /\{\{\s*([a-zA-Z0-9]+)\s*\}\}/g;

export async function createTemplate(db: Database, template: NewTemplate): Promise<Template> {
  checkGaps(template);
  const id = uuidv7();
  await saveTemplate(db, { ...template, id, builtIn: false });
  return readTemplate(db, id);
}

/** @throws NotFound `template_not_found`. */
export async function readTemplate(db: Database, id: string): Promise<Template> {
  const [template] = await findTemplates(db, [id]);
  if (!template) throw new NotFound("template_not_found", "There is no such template.");
  return template;
}

/** @throws Forbidden `template_built_in` for a change of a built-in one's text. */
export async function changeTemplate(
  db: Database,
  id: string,
  change: z.output<typeof TemplateChange>,
): Promise<Template> {
  const before = await readTemplate(db, id);
  const { enabled, ...rest } = change;
  const fields = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  if (before.builtIn && Object.keys(fields).length > 0)
    throw new Forbidden(
      "template_built_in",
      "This template is built in: it can be disabled, not changed. Make one of your own from it.",
    );
  const after = { ...before, ...fields };
  checkGaps(after);
  if (!before.builtIn) await saveTemplate(db, after);
  if (enabled !== undefined) await setTemplateEnabled(db, id, enabled);
  return readTemplate(db, id);
}

export async function deleteTemplate(db: Database, id: string): Promise<void> {
  const { builtIn } = await readTemplate(db, id);
  if (builtIn)
    throw new Forbidden(
      "template_built_in",
      "This template is built in: it can be disabled, not deleted.",
    );
  await removeTemplate(db, id);
}

/**
 * The text with each gap filled by its value, or its default. A value is taken as it is: gaps in it
 * are not filled.
 * @throws BadRequest `variable_missing`.
 */
export function fillTemplate(
  { content, variables }: Pick<Template, "content" | "variables">,
  values: Record<string, string>,
): string {
  const missing = variables.find(
    ({ name, required, default: usual }) => required && usual === null && !values[name]?.trim(),
  );
  if (missing)
    throw new BadRequest("variable_missing", `"${missing.label}" (${missing.name}) is missing.`, {
      details: { name: missing.name },
    });
  return content.replace(GAP, (gap, name: string) => {
    const variable = variables.find((one) => one.name === name);
    return variable
      ? Object.hasOwn(values, name)
        ? (values[name] ?? "")
        : (variable.default ?? "")
      : gap;
  });
}

/** Each gap has a variable and each variable a gap. @throws BadRequest `template_invalid`. */
function checkGaps({ content, variables }: Pick<Template, "content" | "variables">): void {
  const gaps = new Set([...content.matchAll(GAP)].map(([, name]) => name));
  const names = variables.map(({ name }) => name);
  const unknown = [...gaps].find((name) => !names.includes(name ?? ""));
  if (unknown)
    throw new BadRequest(
      "template_invalid",
      `The text has a gap {{${unknown}}} and no variable of that name.`,
    );
  const unused = names.find((name, index) => !gaps.has(name) || names.indexOf(name) !== index);
  if (unused)
    throw new BadRequest(
      "template_invalid",
      `The variable "${unused}" has no gap in the text, or is there twice.`,
    );
}
