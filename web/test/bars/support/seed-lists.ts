import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql, { type Sql } from "sql-template-tag";
import { automationsOf } from "../../../../test/support/automations.ts";
import { startTestServer } from "../../../../test/support/server.ts";
import type { Database } from "../../../../src/platform/db/database.ts";
import { openDatabase } from "../../../../src/platform/db/open-database.ts";
import { silentLog } from "../../../../src/platform/telemetry/log.ts";

/** Longer statements would be ended after a few seconds. */
const BATCH_SIZE = 10_000;

export interface ListSizes {
  users: number;
  conversations: number;
  documents: number;
  rules: number;
}

/**
 * Writes a data folder of an organisation with lists this long. Every name begins with "Seeded",
 * and the conversations, documents and rules are the administrator's.
 */
export async function seedLists(sizes: ListSizes): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-lists-"));
  await createRules(dataDir, sizes.rules);
  await using db = await openDatabase({ dataDir, log: silentLog() });
  const [admin] = await db.query<{ id: string }>(
    sql`select id from users.users where 'admin' = any(roles)`,
  );
  if (!admin) throw new Error("The server has created no administrator.");
  const owner = admin.id;
  await insert(db, sizes.users, seedUsers);
  await insert(db, sizes.conversations, (n) => seedConversations(n, owner));
  await insert(db, sizes.documents, (n) => seedDocuments(n, owner));
  await db.query(sql`analyze`);
  return dataDir;
}

/** The first start creates the tables; rules know their agents, so the API makes them. */
async function createRules(dataDir: string, count: number): Promise<void> {
  await using server = await startTestServer({ DATA_DIR: dataDir });
  const api = automationsOf(server, server.token);
  const agents = [await api.agent("Seeded agent")];
  for (let n = 0; n < count; n += 1) await api.rule({ name: `Seeded ${n}`, agents });
}

/** `statement` inserts a row for each number that it gets as the set `n`. */
async function insert(
  db: Database,
  count: number,
  statements: (n: Sql) => Sql[],
): Promise<void> {
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const last = Math.min(from + BATCH_SIZE, count) - 1;
    const numbers = sql`generate_series(${from}::int, ${last}::int) n`;
    for (const statement of statements(numbers)) await db.query(statement);
  }
}

/** A valid UUID, the same in each statement for the same number. */
const idOf = (kind: string) =>
  sql`overlay(overlay(md5(${kind} || n) placing '7' from 13) placing '8' from 17)::uuid`;
const ID = idOf("seeded");

const seedUsers = (numbers: Sql) => [
  sql`insert into users.users (id, email, name)
    select ${ID}, 'seeded-' || n || '@example.org', 'Seeded ' || n from ${numbers}`,
];

const seedConversations = (numbers: Sql, owner: string) => [
  sql`insert into core.conversations (id, user_id, title, registered, updated_at)
    select ${ID}, ${owner}, 'Seeded ' || n, true, now() - n * interval '1 minute' from ${numbers}`,
  sql`insert into core.messages (id, conversation_id, role, content, status)
    select ${ID}, ${ID}, 'user', 'What does rule ' || n || ' say about holidays?', 'complete'
    from ${numbers}`,
  registered("conversation", numbers, owner),
];

const seedDocuments = (numbers: Sql, owner: string) => [
  sql`insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256,
      storage_key, status, progress, updated_at)
    select ${ID}, ${owner}, 'default', 'Seeded ' || n || '.txt', 'text/plain', 1000, md5(n::text),
      'seeded/' || n, 'PROCESSED', 1, now() - n * interval '1 minute' from ${numbers}`,
  registered("document", numbers, owner),
];

/** The rows by which access is decided. */
function registered(type: "conversation" | "document", numbers: Sql, owner: string): Sql {
  const feature = idOf(type);
  return sql`insert into users.features (id, type, resource_id, owner_id, ancestors)
    select ${feature}, ${type}, ${ID}::text, ${owner}, array[${feature}] from ${numbers}`;
}
