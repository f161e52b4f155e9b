import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { NewTemplate, Template } from "./contract.ts";

type Row = Omit<Template, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };
const COLUMNS = sql`id, name, description, content, variables, language, built_in as "builtIn", enabled, created_at as "createdAt", updated_at as "updatedAt"`;

interface Filter {
  enabled?: boolean;
  language?: string | undefined;
  query?: string | undefined;
}

export async function listTemplates(
  db: Database,
  { enabled, language, query }: Filter,
  limit: number,
  offset: number,
): Promise<{ items: Template[]; total: number }> {
  const conditions: Sql[] = [sql`true`];
  if (enabled !== undefined) conditions.push(sql`enabled = ${enabled}`);
  if (language !== undefined) conditions.push(sql`language = ${language}`);
  if (query !== undefined)
    conditions.push(sql`strpos(core.fold_text(name), core.fold_text(${query})) > 0`);
  const where = join(conditions, " and ");
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.templates where ${where} order by lower(name), id limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.templates where ${where}`,
  );
  return { items: rows.map(templateOf), total: count?.total ?? 0 };
}

/** In the order of the ids. */
export async function findTemplates(db: Database, ids: readonly string[]): Promise<Template[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.templates where id in (${join([...ids])})`,
  );
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map(templateOf));
}

/**
 * Makes a template, or brings it up to date; whether it is enabled stays as an administrator left
 * it.
 */
export async function saveTemplate(
  db: Database,
  { id, builtIn, ...template }: NewTemplate & { id: string; builtIn: boolean },
): Promise<void> {
  const { name, description, content, variables, language, enabled } = template;
  await db.query(sql`insert into core.templates (id, name, description, content, variables, language, built_in, enabled)
    values (${id}, ${name}, ${description}, ${content}, ${jsonb(variables)}, ${language}, ${builtIn}, ${enabled})
    on conflict (id) do update set name = excluded.name, description = excluded.description, content = excluded.content, variables = excluded.variables,
      language = excluded.language, enabled = case when excluded.built_in then core.templates.enabled else excluded.enabled end, updated_at = now()`);
}

export async function setTemplateEnabled(
  db: Database,
  id: string,
  enabled: boolean,
): Promise<void> {
  await db.query(
    sql`update core.templates set enabled = ${enabled}, updated_at = now() where id = ${id}`,
  );
}

export async function removeTemplate(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from core.templates where id = ${id}`);
}

function templateOf(row: Row): Template {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
