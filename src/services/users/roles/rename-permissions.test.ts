import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import { expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { Scope } from "../contract-permissions.ts";
import { NewRole } from "../contract-roles.ts";

const MIGRATIONS = new URL("../migrations/", import.meta.url);
const RENAMING = "permissions.sql";
const log = silentLog();

/** Migrates a database with these roles and scopes from before permissions were renamed. */
async function migrateRoles(roles: Record<string, object[]>, scopes: string[][]) {
  await using db = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  try {
    const files = (await readdir(MIGRATIONS)).sort();
    const earlier = files.slice(
      0,
      files.findIndex((name) => name.endsWith(RENAMING)),
    );
    for (const name of earlier) await cp(new URL(name, MIGRATIONS), join(folder, name));
    await migrate(db, { schema: "users", folder: pathToFileURL(`${folder}/`), log });
    await fill(db, roles, scopes);
    await migrate(db, { schema: "users", folder: MIGRATIONS, log });
  } finally {
    await rm(folder, { recursive: true });
  }
  const [roleRows, keyRows] = [
    await db.query<{ name: string; permissions: object[] }>(
      sql`select name, permissions from users.roles`,
    ),
    await db.query<{ scopes: string[] }>(
      sql`select scopes from users.api_keys order by name`,
    ),
  ];
  return {
    roles: Object.fromEntries(roleRows.map(({ name, permissions }) => [name, permissions])),
    scopes: keyRows.map((row) => row.scopes),
  };
}

async function fill(db: Database, roles: Record<string, object[]>, scopes: string[][]) {
  const id = crypto.randomUUID();
  await db.query(
    sql`insert into users.users (id, email, name) values (${id}, 'a@b.example', 'a')`,
  );
  for (const [name, permissions] of Object.entries(roles))
    await db.query(
      sql`insert into users.roles (name, permissions) values (${name}, ${jsonb(permissions)})`,
    );
  for (const [at, some] of scopes.entries())
    await db.query(sql`insert into users.api_keys (id, user_id, name, hash, scopes)
      values (${crypto.randomUUID()}, ${id}, ${String(at)}, ${String(at)}, ${some})`);
}

test("the migration gives roles and scopes the new names of their permissions", async () => {
  const models = { model: { $in: ["openai/gpt-5"] } };
  const { roles, scopes } = await migrateRoles(
    {
      intern: [
        { action: "read", subject: "all" },
        { action: "create", subject: "conversation", conditions: models },
        { action: "manage", subject: "documents" },
      ],
      quiet: [
        { action: "manage", subject: "all" },
        { action: "create", subject: "conversation", inverted: true },
      ],
      gone: [{ action: "read", subject: "nothing-of-the-kind" }],
    },
    [["agent", "chat"], ["documents", "conversation"], ["unknown"]],
  );
  const accountPermissions = [
    { action: "update", subject: "account" },
    { action: "export", subject: "account" },
  ];
  expect(roles["intern"]).toEqual(
    expect.arrayContaining([
      { action: "read", subject: "all" },
      { action: "export", subject: "all" },
      { action: "create", subject: "conversation", conditions: models },
      { action: "update", subject: "conversation" },
      { action: "use", subject: "model" },
      { action: "read", subject: "document" },
      { action: "delete", subject: "document" },
      ...accountPermissions,
    ]),
  );
  expect(roles["quiet"]).toHaveLength(4);
  expect(roles["quiet"]).toEqual(
    expect.arrayContaining([
      { action: "manage", subject: "all" },
      { action: "create", subject: "conversation", inverted: true },
    ]),
  );
  expect(roles["gone"]).toEqual(accountPermissions);
  expect(roles["admin"]).toContainEqual({ action: "administer", subject: "all" });
  expect(scopes).toEqual([
    ["agent:use", "conversation:create", "model:read", "tool:approve"],
    ["conversation:create", "document:*"],
    [],
  ]);
  for (const [name, permissions] of Object.entries(roles))
    expect(NewRole.safeParse({ name, permissions }).error).toBeUndefined();
  for (const scope of scopes.flat()) expect(Scope.safeParse(scope).success).toBe(true);
});
