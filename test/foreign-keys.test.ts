import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../src/platform/db/database.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { openDatabase } from "../src/platform/db/open-database.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { PERSONAL_KINDS as automations } from "../src/services/automations/user-deletion.ts";
import { PERSONAL_KINDS as core } from "../src/services/core/user-deletion.ts";
import { PERSONAL_KINDS as documents } from "../src/services/documents/user-deletion.ts";
import { PERSONAL_KINDS as integrations } from "../src/services/integrations/user-deletion.ts";
import { PERSONAL_KINDS as toolGateway } from "../src/services/tool-gateway/user-deletion.ts";
import { queriesOf } from "../src/services/users/user-deletion/export-data.ts";
import { loadServices } from "../src/server/services.ts";

const log = silentLog();

/** Columns that name a user and that no deletion looks for, each with the reason. */
const NOT_SEARCHED: Record<string, string> = {
  "automations.runs.maker_id": "says for whom it runs; rows are found by user_id",
  "automations.steps.user_id": "steps are found by their runs",
  "core.agent_versions.changed_by": "history keeps the id without a name",
  "core.allowed_addresses.allowed_by": "history keeps the id without a name",
  "core.budgets.created_by": "history keeps the id without a name",
  "core.canvas_versions.created_by": "history keeps the id without a name",
  "core.messages.asked_by": "belongs to the conversation",
  "integrations.flow_permissions.granted_by": "history keeps the id without a name",
  "tool_gateway.tool_effects.set_by": "history keeps the id without a name",
  "users.scim_tokens.created_by": "history keeps the id without a name",
};

/** Tables with rows of users that their export leaves out, each with the reason. */
const NOT_EXPORTED: Record<string, string> = {
  "automations.idempotency_keys": "kept for a day, against repetitions",
  "core.code_sessions": "names what an interpreter has in memory",
  "core.idempotency_keys": "kept for a day, against repetitions",
  "core.tool_sessions": "of a tool server while it is used",
  "integrations.flow_keys": "a secret",
  "parser.jobs": "work on documents that are exported",
  "tool_gateway.sign_ins": "for ten minutes, with a secret",
  "users.deletion_parts": "of users who are gone",
  "users.deletions": "of users who are gone",
  "users.locks": "held while somebody edits",
  "users.mcp_codes": "for a minute, with a secret",
};

let dataDir: string;
let db: Database;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-keys-"));
  db = await openDatabase({ dataDir, log });
  for (const { name, schema = name, migrations } of await loadServices()) {
    if (!migrations) continue;
    await migrate(db, { schema: schema.replace("-", "_"), folder: migrations, log });
  }
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test("each foreign key has an index, so that deletions do not read whole tables", async () => {
  // an index that begins with the columns of the key, for all rows that have a value
  const keys = await db.query<{ name: string; isIndexed: boolean }>(sql`
    select conrelid::regclass || '.' || conname as name, exists (
      select 1 from pg_index where indrelid = conrelid
        and (indpred is null or pg_get_expr(indpred, indrelid) ~ 'IS NOT NULL\\)$')
        and (select array_agg(column_number order by column_number) from unnest(conkey) column_number)
          = (select array_agg(column_number order by column_number)
            from unnest((indkey::smallint[])[0:cardinality(conkey) - 1]) column_number)
    ) as "isIndexed"
    from pg_constraint where contype = 'f' order by 1`);
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(({ isIndexed }) => !isIndexed).map(({ name }) => name)).toEqual([]);
});

test("each column that names a user has an index, so that erasing one does not read whole tables", async () => {
  const columns = await db.query<{
    name: string;
    column: string;
    conditions: string[];
  }>(sql`
    select attrelid::regclass || '.' || attname as name, attname as column, array(
      select coalesce(pg_get_expr(indpred, indrelid), '') from pg_index
        where indrelid = attrelid and indkey[0] = attnum) as conditions
    from pg_attribute join pg_class on pg_class.oid = attrelid
      join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and attnum > 0 and not attisdropped
      and nspname not in ('pg_catalog', 'information_schema')
      and atttypid in ('text'::regtype, 'uuid'::regtype)
      and attname ~ '(^|_)(user_id|owner_id|actor_id|maker_id|recipient_id)$|_by$|_by_user_id$'
    order by 1`);
  expect(columns.length).toBeGreaterThan(40);
  const isIndexed = ({ column, conditions }: (typeof columns)[number]) =>
    conditions.some((one) => one === "" || one === `(${column} IS NOT NULL)`) ||
    // two indexes that share all rows
    PARTS.some((parts) => parts.every((part) => conditions.includes(part)));
  const without = columns.filter((one) => !isIndexed(one)).map(({ name }) => name);
  expect(without).toEqual(Object.keys(NOT_SEARCHED));
});

test("each table with rows of a user is in the export of their data", async () => {
  const tables = await db.query<{ name: string }>(sql`
    select distinct attrelid::regclass::text as name
    from pg_attribute join pg_class on pg_class.oid = attrelid
      join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and attnum > 0 and not attisdropped
      and nspname not in ('pg_catalog', 'information_schema')
      and attname ~ '^(user_id|owner_id|actor_id|maker_id)$' order by 1`);
  const exported = [
    ...[...core, ...documents, ...automations, ...integrations, ...toolGateway].flatMap(
      ({ from, data }) => [from, data],
    ),
    ...Object.values(queriesOf("anna")),
  ]
    .map(({ sql: text }) => text)
    .join(" ");
  const without = tables.filter(({ name }) => !new RegExp(`${name}\\b`).test(exported));
  expect(without.map(({ name }) => name)).toEqual(Object.keys(NOT_EXPORTED));
});

/** Conditions of which one holds for each row. */
const PARTS = [
  ["(deleted_at IS NULL)", "(deleted_at IS NOT NULL)"],
  ["(scope = 'client'::text)", "(scope = 'personal'::text)"],
];
