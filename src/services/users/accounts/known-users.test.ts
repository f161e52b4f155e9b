import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { seeUser, standingNow, standingsNow } from "./known-users.ts";

const isAbsent = async (id: string, maxAbsenceMs: number) =>
  (await standingNow(db, id, maxAbsenceMs)).absent;
const DAY_MS = 86_400_000;
let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

const see = (userId: string, roles?: string[]) =>
  seeUser(db, { userId, clientId: "acme", email: "", name: userId, roles });
const leave = (userId: string) =>
  db.query(sql`update users.known_users set token_at = now() - interval '2 days'
    where id = ${userId}`);

test("a user is absent when the issuer's last token is too old, and back with the next", async () => {
  await see("ann", ["user"]);
  expect(await isAbsent("ann", DAY_MS)).toBe(false);
  await leave("ann");
  expect(await isAbsent("ann", DAY_MS)).toBe(true);
  expect(await isAbsent("ann", 3 * DAY_MS)).toBe(false);
  await see("ann"); // a token that does not speak for the issuer
  expect(await isAbsent("ann", DAY_MS)).toBe(true);
  await see("ann", ["user"]);
  expect(await isAbsent("ann", DAY_MS)).toBe(false);
});

test("many users are read at once in the order of their ids, unknown ones too", async () => {
  await see("cem", ["user"]);
  await see("dan", ["editor"]);
  const ids = ["dan", "nobody", "cem", crypto.randomUUID(), "dan"];
  const standings = await standingsNow(db, ids, DAY_MS);
  expect(standings.map(({ name, active, roles }) => [name, active, roles])).toEqual([
    ["dan", true, ["editor"]],
    ["", false, []],
    ["cem", true, ["user"]],
    ["", false, []],
    ["dan", true, ["editor"]],
  ]);
});

test("users of this service are never absent", async () => {
  const id = crypto.randomUUID();
  await db.query(sql`insert into users.users (id, client_id, email, name)
    values (${id}, 'acme', 'own@test.example', 'Own')`);
  await leave(id);
  expect(await isAbsent(id, DAY_MS)).toBe(false);
  expect(await isAbsent("never seen", DAY_MS)).toBe(false);
});
