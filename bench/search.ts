import sql, { raw } from "sql-template-tag";
import type { Database } from "../src/platform/db/database.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { testDatabase } from "../src/platform/testing/database.ts";
import { refreshStatistics } from "../src/services/core/conversations/refresh-statistics.ts";
import { searchConversations } from "../src/services/core/conversations/search.ts";
import { interleaved } from "./measure.ts";

const CONVERSATIONS = 10_000;
const MESSAGES_EACH = 10;
/**
 * Queries of each kind: a rare word, a less rare one, a common one, several, a whole question, a
 * prefix.
 */
const QUERIES = [
  "w9777",
  "w321",
  "w2",
  "w2 w9777",
  "w45 w321 w1234",
  "w1 w2 w3 w17 w140 w2741",
  "w98",
];

/**
 * Measures search over 100,000 messages of 60 words with Zipf's distribution, nine tenths of them
 * of one user and the rest of 50, on DATABASE_URL or embedded. The floor is simple SQL: the twenty
 * best conversations with a message that has every word, without snippets or a count.
 */
export async function searching({
  rounds,
}: {
  rounds: number;
}): Promise<Record<string, Record<string, number>>> {
  await using db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../src/services/core/migrations/", import.meta.url),
    log: silentLog(),
  });
  await fill(db);
  const ask = { tags: [], sort: "relevance", order: "desc", limit: 20, offset: 0 } as const;
  return await interleaved(
    [
      {
        name: "plain SQL",
        run: () =>
          times((query) => {
            const every = query.replace(/\w+/g, "'$&':*").replaceAll(" ", " & ");
            return db.query(sql`select c.id, c.title, max(ts_rank(m.search, ${every}::tsquery)) as score
              from core.messages m join core.conversations c on c.id = m.conversation_id
              where m.search @@ ${every}::tsquery and c.user_id = 'ann' and c.deleted_at is null
              group by c.id order by score desc limit 20`);
          }),
      },
      {
        name: "search",
        run: () => times((query) => searchConversations(db, "ann", { ...ask, query })),
      },
      {
        name: "search by one of many users",
        run: () => times((query) => searchConversations(db, "u7", { ...ask, query })),
      },
    ],
    rounds,
  );
}

async function times(
  work: (query: string) => Promise<unknown>,
): Promise<Record<string, number>> {
  const took: number[] = [];
  for (const query of QUERIES) {
    for (let n = 0; n < 5; n += 1) {
      const startedAt = performance.now();
      await work(query);
      took.push(performance.now() - startedAt);
    }
  }
  took.sort((a, b) => a - b);
  return {
    "ms, median": took[took.length >> 1] ?? 0,
    "ms, p95": took[Math.floor(took.length * 0.95)] ?? 0,
  };
}

async function fill(db: Database): Promise<void> {
  const words = (count: number) =>
    raw(
      `(select string_agg('w' || floor(power(10000, random()))::int, ' ') from generate_series(1, ${count}) g where c::text <> '')`,
    );
  await db.query(sql`insert into core.conversations (id, user_id, title, updated_at)
    select gen_random_uuid(), case when c % 10 = 0 then 'u' || c / 10 % 50 else 'ann' end, ${words(4)}, now() - random() * interval '300 days'
    from generate_series(1, ${CONVERSATIONS}::int) c`);
  for (let n = 0; n < MESSAGES_EACH; n += 1)
    await db.query(sql`insert into core.messages (id, conversation_id, role, content, status)
      select gen_random_uuid(), c.id, 'user', ${words(60)}, 'complete' from core.conversations c`);
  await refreshStatistics(db);
}
