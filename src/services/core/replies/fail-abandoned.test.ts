import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { failAbandonedConversions, insertConversion } from "../conversions/store.ts";
import { failAbandoned, LEASE_MS, untilAbandoned } from "./store.ts";

test("a process fails the replies of others whose lease ended, never its own", async () => {
  await using db = await coreDatabase();
  const [conversation, own, foreign] = Array.from({ length: 3 }, () => crypto.randomUUID());
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, 'anna', 'default', '')`);
  for (const id of [own, foreign])
    await db.query(sql`insert into core.messages (id, conversation_id, role, status, lease_until)
      values (${id}, ${conversation}, 'assistant', 'streaming', now() - interval '1 minute')`);
  expect(await failAbandoned(db, [own ?? ""])).toBe(1);
  const rows = await db.query<{ id: string; status: string }>(
    sql`select id, status from core.messages order by status`,
  );
  expect(rows).toEqual([
    { id: foreign, status: "failed" },
    { id: own, status: "streaming" },
  ]);
});

test("the same holds for conversions", async () => {
  await using db = await coreDatabase();
  const [own = "", foreign = ""] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [own, foreign])
    await insertConversion(db, "anna", {
      id,
      type: "grammar",
      input: "text",
      targetLanguage: null,
      options: {},
      model: "offline",
    });
  await db.query(
    sql`update core.conversions set lease_until = now() - interval '1 minute'`,
  );
  await failAbandonedConversions(db, [own]);
  const rows = await db.query<{ id: string }>(
    sql`select id from core.conversions where status = 'running'`,
  );
  expect(rows).toEqual([{ id: own }]);
});

test("the first lease that may end is known, of replies and of conversions", async () => {
  await using db = await coreDatabase();
  expect(await untilAbandoned(db)).toBeUndefined();
  const conversion = {
    id: crypto.randomUUID(),
    type: "grammar",
    input: "text",
    targetLanguage: null,
    options: {},
    model: "offline",
  } as const;
  await insertConversion(db, "anna", conversion);
  const whole = (await untilAbandoned(db)) ?? 0;
  expect(whole).toBeGreaterThanOrEqual(LEASE_MS); // until then nothing that begins is missed
  const [conversation, id] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, 'anna', 'default', '')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status, lease_until)
    values (${id}, ${conversation}, 'assistant', 'streaming', now() + interval '5 seconds')`);
  expect(await untilAbandoned(db)).toBeLessThanOrEqual(5_000);
  await db.query(sql`update core.messages set lease_until = now() - interval '1 second'`);
  expect(await untilAbandoned(db)).toBeLessThan(0);
});
