import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { refreshStatistics } from "./refresh-statistics.ts";

test("the embedded database makes statistics from a sample that it reads quickly", async () => {
  await using db = await coreDatabase();
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id) values (${id}, 'anna')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status, created_at)
    select gen_random_uuid(), ${id}, 'user', 'complete', now() - n * interval '1 second'
    from generate_series(1, 500) n`);
  await refreshStatistics(db);
  const [row] = await db.query<{ bounds: number }>(sql`select
    array_length(histogram_bounds::text::text[], 1) as bounds from pg_stats
    where schemaname = 'core' and tablename = 'messages' and attname = 'created_at'`);
  // one bound more than the target; 300 rows are read for each of them
  expect(row?.bounds).toBe(db.isEmbedded ? 31 : 101);
});
