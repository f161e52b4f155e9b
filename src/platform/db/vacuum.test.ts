import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { vacuum } from "./vacuum.ts";

const never = new AbortController().signal;

test("a table whose rows change again and again does not grow", async () => {
  await using db = await testDatabase();
  await db.query(sql`create table public.notes (id int primary key, text text)`);
  await db.query(
    sql`insert into public.notes select n, repeat('a', 200) from generate_series(1, 1000) n`,
  );
  for (let round = 0; round < 8; round += 1) {
    await db.query(
      sql`update public.notes set text = repeat(chr(97 + ${round}::int), 200)`,
    );
    await vacuum(db, never);
  }
  // a server vacuums at its own time
  if (db.isEmbedded) expect(await bytesOf(db)).toBeLessThan(3 * 1_000 * 250);
  expect(await db.query(sql`select count(*)::int as n from public.notes`)).toEqual([
    { n: 1_000 },
  ]);
});

async function bytesOf(db: Awaited<ReturnType<typeof testDatabase>>): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`select pg_relation_size('public.notes')::int as bytes`,
  );
  return row?.bytes ?? 0;
}
