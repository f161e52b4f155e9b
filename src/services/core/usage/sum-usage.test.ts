import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { usageContract } from "./contract.ts";
import { sumUsage } from "./sum-usage.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  for (const createdAt of [
    "2026-03-28T22:30:00Z",
    "2026-03-28T23:30:00Z",
    // Berlin's day of 23 hours ends at 22:00 in UTC
    "2026-03-29T21:30:00Z",
    "2026-03-29T22:30:00Z",
  ])
    await db.query(sql`insert into core.model_transactions
      (id, provider, model, input_tokens, output_tokens, duration_ms, finish_reason, created_at)
      values (${uuidv7()}, 'p', 'm', 1, 1, 1, 'stop', ${createdAt})`);
});
afterAll(() => db[Symbol.asyncDispose]());

const { query } = usageContract.usage;
if (!query) throw new Error("usage has a query");
const days = async (asked: object) => {
  const { items } = await sumUsage(db, { ...query.parse(asked), offset: 0 });
  return items.map(({ group, requests }) => [group, requests]);
};

test.each([
  [
    {},
    [
      ["2026-03-29", 2],
      ["2026-03-28", 2],
    ],
  ],
  [
    { timeZone: "Europe/Berlin" },
    [
      ["2026-03-30", 1],
      ["2026-03-29", 2],
      ["2026-03-28", 1],
    ],
  ],
  [
    { timeZone: "Pacific/Kiritimati" },
    [
      ["2026-03-30", 2],
      ["2026-03-29", 2],
    ],
  ],
  [
    { timeZone: "America/Los_Angeles" },
    [
      ["2026-03-29", 2],
      ["2026-03-28", 2],
    ],
  ],
])("days with %j are those of the zone", async (asked, expected) => {
  expect(await days(asked)).toEqual(expected);
});

test("a date is the first moment of its day in the zone, a time is itself", async () => {
  const day = { from: "2026-03-29", to: "2026-03-30" };
  expect(await days({ ...day, timeZone: "Europe/Berlin" })).toEqual([["2026-03-29", 2]]);
  expect(await days({ from: "2026-03-28T23:00:00Z", to: "2026-03-28T23:31:00Z" })).toEqual([
    ["2026-03-28", 1],
  ]);
});

test.each(["Europe/Nowhere", "+02:00", "", "UTC'--", "🌍"])(
  "the zone %j is refused",
  (timeZone) => {
    expect(query.safeParse({ timeZone }).success).toBe(false);
  },
);

test("every zone that is accepted is one of the database", async () => {
  const names = Intl.supportedValuesOf("timeZone");
  expect(names.length).toBeGreaterThan(300);
  for (const timeZone of names) {
    const known = await days({ timeZone }).catch(() => timeZone);
    expect(known).not.toBe(timeZone);
  }
});

test("a zone that only the database does not know is the request's fault", async () => {
  const ask = { ...query.parse({}), timeZone: "Nowhere/Here", offset: 0 };
  await expect(sumUsage(db, ask)).rejects.toMatchObject({ code: "time_zone_unknown" });
});
