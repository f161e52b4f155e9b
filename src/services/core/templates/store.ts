import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { TemplateFields } from "./contract.ts";

/** A template as it is stored. `ownerId` null: a template of the organisation. */
export interface StoredTemplate extends TemplateFields {
  id: string;
  ownerId: string | null;
  builtIn: boolean;
  createdAt: string;
  updatedAt: string;
}

type Row = Omit<StoredTemplate, "createdAt" | "updatedAt"> & {
  createdAt: Date;
  updatedAt: Date;
};
const COLUMNS = sql`id, name, description, content, variables, language, owner_id as "ownerId",
  built_in as "builtIn", enabled, created_at as "createdAt", updated_at as "updatedAt"`;

export interface TemplateFilter {
  /** The templates of the organisation, of this user, and these shared ones. */
  userId: string;
  sharedIds: readonly string[];
  scope?: "organization" | "personal" | undefined;
  enabled?: boolean;
  language?: string | undefined;
  /** Built-in templates of other languages are left out. */
  builtInLanguage?: string | undefined;
  query?: string | undefined;
}

export async function listTemplates(
  db: Database,
  filter: TemplateFilter,
  limit: number,
  offset: number,
): Promise<{ items: StoredTemplate[]; total: number }> {
  const { userId, sharedIds, scope, enabled, language, builtInLanguage, query } = filter;
  // which templates somebody sees: as `rolesOf` in access.ts decides
  const isOwn = sql`owner_id = ${userId} or id = any(${[...sharedIds]}::uuid[])`;
  const conditions: Sql[] = [sql`(owner_id is null or ${isOwn})`];
  if (scope !== undefined)
    conditions.push(
      scope === "personal" ? sql`owner_id is not null` : sql`owner_id is null`,
    );
  if (enabled !== undefined) conditions.push(sql`enabled = ${enabled}`);
  if (language !== undefined) conditions.push(sql`language = ${language}`);
  if (builtInLanguage !== undefined)
    conditions.push(sql`(not built_in or language = ${builtInLanguage})`);
  if (query !== undefined)
    conditions.push(sql`strpos(core.fold_text(name), core.fold_text(${query})) > 0`);
  const where = join(conditions, " and ");
  const rows = await db.query<Row>(sql`select ${COLUMNS} from core.templates where ${where}
    order by lower(name), id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.templates where ${where}`,
  );
  return { items: rows.map(toTemplate), total: count?.total ?? 0 };
}

/** Templates in the order of the ids. Unknown ids are left out. */
export async function findTemplates(
  db: Database,
  ids: readonly string[],
  { locked = false } = {},
): Promise<StoredTemplate[]> {
  const lock = locked ? sql`for update` : sql``;
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.templates where id in (${join([...ids])}) ${lock}`,
  );
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map(toTemplate));
}

/** The number of a user's personal templates. */
export async function countTemplates(db: Database, ownerId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.templates where owner_id = ${ownerId}`,
  );
  return count?.total ?? 0;
}

type NewTemplate = Omit<StoredTemplate, "createdAt" | "updatedAt">;

export async function insertTemplate(db: Database, template: NewTemplate): Promise<void> {
  await db.query(sql`insert into core.templates ${valuesOf(template)}`);
}

/** Inserts or updates a built-in template. An update keeps `enabled`. */
export async function seedTemplate(db: Database, template: NewTemplate): Promise<void> {
  await db.query(sql`insert into core.templates ${valuesOf(template)}
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      content = excluded.content, variables = excluded.variables, language = excluded.language,
      updated_at = now()`);
}

function valuesOf(template: NewTemplate): Sql {
  const { id, name, description, content, variables, language, ownerId, builtIn, enabled } =
    template;
  return sql`(id, name, description, content, variables, language, owner_id, built_in, enabled)
    values (${id}, ${name}, ${description}, ${content}, ${jsonb(variables)}, ${language},
      ${ownerId}, ${builtIn}, ${enabled})`;
}

/** Has no effect once the template was deleted. */
export async function updateTemplate(
  db: Database,
  id: string,
  { name, description, content, variables, language, enabled }: TemplateFields,
): Promise<void> {
  await db.query(sql`update core.templates set name = ${name}, description = ${description},
      content = ${content}, variables = ${jsonb(variables)}, language = ${language},
      enabled = ${enabled}, updated_at = now()
    where id = ${id}`);
}

export async function removeTemplate(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from core.templates where id = ${id}`);
}

function toTemplate(row: Row): StoredTemplate {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
