import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import { toSteps } from "./runs/plan-steps.ts";
import { advanceRun, takeSteps } from "./runs/step-store.ts";
import { insertRun } from "./runs/store.ts";
import { takeReadings } from "./media/reading-store.ts";
import { insertSource, takeSources } from "./sources/store.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("./migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => db.query(sql`truncate automations.runs, automations.sources cascade`));

const newRun = (userId: string, status: "reading" | "running") => ({
  id: uuidv7(),
  clientId: "c",
  userId,
  ruleId: null,
  makerId: null,
  name: "",
  type: "note",
  origin: "upload",
  madeBy: [],
  status,
  medium: null,
  storageKey: null,
  conversationId: uuidv7(),
  transcript: "words",
});
const addReading = (userId: string) => insertRun(db, newRun(userId, "reading"), []);
const addStep = async (userId: string) => {
  const run = newRun(userId, "running");
  await insertRun(db, run, toSteps([uuidv7()]));
  await advanceRun(db, run.id);
};
const addSource = (userId: string) =>
  insertSource(db, {
    id: uuidv7(),
    clientId: "c",
    userId,
    name: "",
    settings: { kind: "folder", path: "/srv", every: 30 },
    secret: "",
    origin: "o",
    type: null,
    tags: [],
    isActive: true,
  });
const kinds = {
  readings: {
    add: addReading,
    take: takeReadings,
    userOf: (job: { userId: string }) => job.userId,
  },
  steps: { add: addStep, take: takeSteps, userOf: (job: { userId: string }) => job.userId },
  sources: {
    add: addSource,
    take: takeSources,
    userOf: (job: { source: { userId: string } }) => job.source.userId,
  },
};

test("off: claimed by their time alone, one user's backlog comes before the last users", async () => {
  for (let count = 0; count < 20; count += 1) await addSource("eve");
  for (const user of ["bob", "carol"]) await addSource(user);
  const rows = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from automations.sources order by due_at, id limit 4`,
  );
  expect(rows.map(({ userId }) => userId)).toEqual(["eve", "eve", "eve", "eve"]);
});

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  "%s of the last users are claimed before the backlog of the first, and none twice",
  async (name) => {
    // as in the table above, each `userOf` fits its `take`
    const { add, take, userOf } = kinds[name] as (typeof kinds)["steps"];
    for (let count = 0; count < 20; count += 1) await add("eve");
    for (const user of ["bob", "carol"]) await add(user);
    const claim = async (room: Parameters<typeof take>[1]) =>
      (await take(db, room)).map(userOf);
    const first = await claim({ free: 4, maxPerUser: 2, held: new Map() });
    expect(first.sort()).toEqual(["bob", "carol", "eve", "eve"]);
    await add("dave");
    const second = await claim({ free: 4, maxPerUser: 2, held: new Map([["eve", 2]]) });
    expect(second).toEqual(["dave"]);
    const third = await claim({ free: 20, maxPerUser: 20, held: new Map() });
    expect(third).toEqual(Array.from({ length: 18 }, () => "eve"));
    expect(await claim({ free: 20, maxPerUser: 20, held: new Map() })).toEqual([]);
  },
);
