import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { Poison } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { ProviderCalls } from "../../completion/contract-provider-calls.ts";
import {
  listProviderHealth,
  purgeProviderCalls,
  storeProviderCalls,
} from "./provider-health.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "core", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  await db.query(sql`delete from core.model_providers`);
  for (const name of ["one", "two"])
    await db.query(sql`
      insert into core.model_providers (name, display_name, kind, config)
      values (${name}, ${name}, 'openai', '{}')`);
});

type Count = ProviderCalls["counts"][number];

/** Counts of the provider `one` in an hour, 0 for this one. */
function count({ ago = 0, ...given }: Partial<Count> & { ago?: number } = {}): Count {
  const hour = new Date(NOW - ago * HOUR_MS).toISOString();
  return {
    provider: "one",
    hour,
    outcome: "answered",
    calls: 1,
    begun: 0,
    firstTokenMs: 0,
    lastAt: hour,
    ...given,
  };
}
const store = (source: string, ...counts: Count[]) =>
  storeProviderCalls(db, { data: { source, counts } });
const health = async () => {
  const { items } = await listProviderHealth(db, 10, 0);
  return items[0];
};
const failure = (code: string) => ({ code, message: `Because of ${code}.` });

test("counts of several processes add up; a message that comes twice, or late, changes nothing", async () => {
  const [first, second] = [uuidv7(), uuidv7()];
  await store(first, count({ calls: 5, begun: 4, firstTokenMs: 800 }));
  await store(second, count({ calls: 2, begun: 1, firstTokenMs: 700 }));
  const late = count({ calls: 3, begun: 2, firstTokenMs: 400 });
  await Promise.all([store(first, late), store(second, late), store(first, late)]);
  await store(first, count({ calls: 5, begun: 4, firstTokenMs: 800 }));
  expect((await health())?.hours.at(-1)).toMatchObject({
    calls: 5 + 3,
    failures: [],
    // (800 + 700) / (4 + 2)
    firstTokenMs: 250,
  });
});

test("there are 24 hours in order, those without calls too, for each provider", async () => {
  await store(
    uuidv7(),
    count({ ago: 23 }),
    count({ ago: 24 }),
    count({ ago: 2, calls: 7 }),
  );
  const { items, total } = await listProviderHealth(db, 10, 0);
  expect([total, items.map(({ name }) => name)]).toEqual([2, ["one", "two"]]);
  const [one, two] = items;
  expect(one?.hours.map(({ calls }) => calls)).toEqual([1, ...Array(20).fill(0), 7, 0, 0]);
  expect(one?.hours.at(-1)?.startsAt).toBe(new Date(NOW).toISOString());
  expect(two).toMatchObject({ lastAnswerAt: null, lastFailure: null });
  expect(two?.hours.every(({ firstTokenMs }) => firstTokenMs === null)).toBe(true);
});

test("failures are counted by how they ended, and the last one has its sentence and time", async () => {
  const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
  const limited = {
    outcome: "rate_limited",
    lastFailure: failure("provider_rate_limited"),
  } as const;
  const refused = {
    outcome: "refused",
    lastFailure: failure("provider_refused_key"),
  } as const;
  await store(
    uuidv7(),
    count({ calls: 3, lastAt: at(1) }),
    count({ ...limited, lastAt: at(2) }),
  );
  await store(uuidv7(), count({ ...refused, calls: 2, lastAt: at(3) }));
  const shown = await health();
  expect(shown?.hours.at(-1)).toMatchObject({ calls: 6 });
  expect(shown?.hours.at(-1)?.failures).toHaveLength(2);
  expect(shown?.hours.at(-1)?.failures).toEqual(
    expect.arrayContaining([
      { how: "rate_limited", calls: 1 },
      { how: "refused", calls: 2 },
    ]),
  );
  expect(shown).toMatchObject({
    lastAnswerAt: at(1),
    lastFailure: {
      code: "provider_refused_key",
      error: "Because of provider_refused_key.",
      at: at(3),
    },
  });
});

test("counts of a provider that is gone are left out, and go with it", async () => {
  await store(uuidv7(), count({ provider: "gone" }), count());
  await db.query(sql`delete from core.model_providers where name = 'one'`);
  expect(await db.query(sql`select 1 from core.provider_calls`)).toEqual([]);
});

test("counts are deleted after seven days, and older ones are not taken", async () => {
  await store(uuidv7(), count({ ago: 6 * 24 }), count());
  const old = new Date(NOW - 8 * DAY_MS).toISOString();
  await store(uuidv7(), count({ hour: old }));
  const hours = async () => (await db.query(sql`select 1 from core.provider_calls`)).length;
  expect(await hours()).toBe(2);
  await db.query(
    sql`update core.provider_calls set hour = ${old} where hour < now() - interval '1 day'`,
  );
  await purgeProviderCalls(db, new AbortController().signal);
  expect(await hours()).toBe(1);
});

test("a message of another form goes to the dead letters", async () => {
  const wrong = { source: uuidv7(), counts: [{ ...count(), calls: -1 }] };
  await expect(storeProviderCalls(db, { data: wrong })).rejects.toThrow(Poison);
});
