import sql from "sql-template-tag";
import type { Database } from "../src/platform/db/database.ts";

interface Column {
  table: string;
  name: string;
  type: string;
  notNull: boolean;
  fallback: string | null;
  generated: boolean;
}

interface Definition {
  table: string;
  definition: string;
}

/** Describes all tables, indexes, views and functions of a schema as SQL, in a fixed order. */
export async function describeSchema(db: Database, schema: string): Promise<string> {
  const columns = await readColumns(db, schema);
  const constraints = await readConstraints(db, schema);
  const indexes = await readIndexes(db, schema);
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const lines = [
      ...columns.filter((column) => column.table === table).map(columnLine),
      ...constraints
        .filter((one) => one.table === table)
        .map(({ definition }) => definition),
    ];
    const extras = indexes.filter((one) => one.table === table);
    const body = lines.map((line) => `  ${line}`).join(",\n");
    return [
      `create table ${schema}.${table} (\n${body}\n);`,
      ...extras.map(({ definition }) => `${definition};`),
    ].join("\n");
  });
  const views = (await readViews(db, schema)).map(({ definition }) => definition);
  const functions = (await readFunctions(db, schema)).map(
    ({ definition }) => `${definition};`,
  );
  const head = `-- The tables of the schema ${schema} after all migrations. Made by \`npm run schema-sql\`.`;
  return `${[head, ...tables, ...views, ...functions].join("\n\n")}\n`;
}

function columnLine({ name, type, notNull, fallback, generated }: Column): string {
  const value = generated
    ? ` generated always as (${fallback}) stored`
    : ` default ${fallback}`;
  return `${name} ${type}${notNull ? " not null" : ""}${fallback === null ? "" : value}`;
}

function readColumns(db: Database, schema: string): Promise<Column[]> {
  return db.query<Column>(sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "notNull", pg_get_expr(d.adbin, d.adrelid) as fallback,
      a.attgenerated <> '' as generated
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
}

/** Constraints except `not null`, which is part of the column. */
function readConstraints(db: Database, schema: string): Promise<Definition[]> {
  return db.query<Definition>(sql`
    select c.relname as "table",
      'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and k.contype in ('p', 'u', 'f', 'c', 'x')
    order by c.relname, position(k.contype::text in 'pufcx'), k.conname`);
}

/** Indexes except those of constraints. */
function readIndexes(db: Database, schema: string): Promise<Definition[]> {
  return db.query<Definition>(sql`
    select c.relname as "table", pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema}
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by c.relname, i.indexrelid::regclass::text`);
}

function readViews(db: Database, schema: string): Promise<{ definition: string }[]> {
  return db.query<{ definition: string }>(sql`
    select 'create view ' || n.nspname || '.' || c.relname || ' as\n' || pg_get_viewdef(c.oid)
      as definition
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'v'
    order by c.relname`);
}

function readFunctions(db: Database, schema: string): Promise<{ definition: string }[]> {
  return db.query<{ definition: string }>(sql`
    select trim(trailing from pg_get_functiondef(p.oid)) as definition
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${schema} and p.prokind in ('f', 'p')
    order by p.proname, p.oid::regprocedure::text`);
}
