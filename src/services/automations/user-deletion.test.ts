import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { migrate } from "../../platform/db/migrate.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import { personalData } from "./user-deletion.ts";

const folder = new URL("./migrations/", import.meta.url);

test("an export has every schedule, source, rule and run once, in bounded pages", async () => {
  await using db = await testDatabase();
  await migrate(db, { schema: "automations", folder, log: silentLog() });
  for (const userId of ["anna", "bert"]) {
    const owner = sql`'default', ${userId}`;
    await db.query(sql`insert into automations.schedules
        (id, client_id, user_id, name, cron, time_zone, input, agents, is_active)
      select gen_random_uuid(), ${owner}, 'Plan ' || n, '0 8 * * *', 'UTC', 'in', '[]', false
      from generate_series(1, 45) n`);
    await db.query(sql`insert into automations.sources
        (id, client_id, user_id, name, kind, settings, secret, origin, tags, is_active)
      select gen_random_uuid(), ${owner}, 'Feed ' || n, 'webhook', '{}', 'hidden', 'o', '{}', false
      from generate_series(1, 45) n`);
    await db.query(sql`insert into automations.rules
        (client_id, user_id, name, type, origin, agents, is_active, scope)
      select ${owner}, 'Rule ' || n, '*', '*', '[]', true,
        case when n % 2 = 0 then 'client' else 'personal' end
      from generate_series(1, 45) n`);
    await db.query(sql`insert into automations.runs
        (id, client_id, user_id, name, type, origin, status, conversation_id, transcript)
      select gen_random_uuid(), ${owner}, 'Run ' || n, '*', '*', 'completed',
        gen_random_uuid(), repeat('x', 1000000)
      from generate_series(1, 12) n`);
  }
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page = await personalData(db, "anna", after);
    expect(page.records.length).toBeLessThanOrEqual(20);
    const text = JSON.stringify(page.records);
    expect(text.length).toBeLessThan(5.5 * 2 ** 20);
    expect(text).not.toContain("hidden");
    names.push(...page.records.map(({ data }) => String(data["name"])));
    after = page.next ?? undefined;
  } while (after !== undefined);
  const named = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);
  expect(names.toSorted()).toEqual(
    [
      ...named("Plan", 45),
      ...named("Feed", 45),
      ...named("Rule", 45),
      ...named("Run", 12),
    ].toSorted(),
  );
});
