import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmedConsumer } from "../../../platform/background/confirmed-consumer.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { Unavailable } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { reportOf, UserDeletion } from "../contract-user-deletion.ts";
import { FEATURES_PER_BATCH } from "../sharing/features-store.ts";
import { knowUsers } from "../testing/know-users.ts";
import { deleteUserData, forgetUser } from "./delete-user-data.ts";
import { listDeletedUsers, recordReport } from "./deletion-parts.ts";

let db: Database;
const published: string[] = [];
const queue = {
  publish: async (name: string) => {
    published.push(name);
  },
} as never;

beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
  await knowUsers(db, ["anna", "bert", "carl", "admin"]);
});
afterAll(() => db[Symbol.asyncDispose]());

const deleteData = (userId: string, transferTo: string | null = null) =>
  db.tx(() =>
    deleteUserData(
      { db, queue },
      { userId, transferTo, clientId: "default", actor: "admin" },
    ),
  );
const stateOf = async (userId: string) =>
  (
    await listDeletedUsers(db, "default", { isOpen: false, limit: 100, offset: 0 })
  ).items.find((one) => one.userId === userId);
const audited = async (userId: string) =>
  (
    await db.query<{ action: string }>(sql`select action from users.audit_events
      where resource_id = ${userId} order by id`)
  ).map(({ action }) => action);
const SERVICES = [
  "core",
  "documents",
  "automations",
  "integrations",
  "parser",
  "tool-gateway",
] as const;

test("administrators see what of a deletion is left, and the audit log its end", async () => {
  await deleteData("anna");
  expect(await stateOf("anna")).toMatchObject({ state: "waiting", transferTo: null });
  for (const service of SERVICES) {
    expect(await audited("anna")).toEqual(["user.deleted"]);
    await recordReport(db, "anna", { service, state: "done", attempt: 1, isLast: false });
  }
  expect(await stateOf("anna")).toMatchObject({ state: "done" });
  expect(await audited("anna")).toEqual(["user.deleted", "user.erased"]);
  // the message came twice
  await recordReport(db, "anna", {
    service: "core",
    state: "failed",
    attempt: 12,
    isLast: true,
  });
  expect(await stateOf("anna")).toMatchObject({ state: "done" });
  const open = await listDeletedUsers(db, "default", { isOpen: true, limit: 9, offset: 0 });
  expect(open.items).toEqual([]);
  const other = await listDeletedUsers(db, "other", { isOpen: false, limit: 9, offset: 0 });
  expect(other).toEqual({ items: [], total: 0 });
});

test("a service that fails says why at each attempt, and the audit log that it gave up", async () => {
  await deleteData("bert");
  let isBroken = true;
  const { handle } = confirmedConsumer({
    queue: "user_deletions_core",
    schema: UserDeletion,
    confirm: async (message) => message,
    handle: async () => {
      if (isBroken) throw new Unavailable("storage_unavailable", "The storage is away.");
    },
    report: ({ userId }, outcome) => recordReport(db, userId, reportOf("core", outcome)),
  });
  const deliver = (attempt: number) =>
    handle({
      id: "1",
      attempt,
      data: { userId: "bert", transferTo: null },
      isOwn: true,
      signal: new AbortController().signal,
    });
  const partOf = async () =>
    (await stateOf("bert"))?.parts.find(({ service }) => service === "core");
  await expect(deliver(1)).rejects.toThrow("away");
  expect(await stateOf("bert")).toMatchObject({ state: "failed" });
  expect(await partOf()).toMatchObject({ attempt: 1, error: "The storage is away." });
  expect(await audited("bert")).toEqual(["user.deleted"]);
  await expect(deliver(12)).rejects.toThrow("away");
  expect(await audited("bert")).toEqual(["user.deleted", "user.erasure_failed"]);
  isBroken = false;
  await deliver(1);
  expect(await partOf()).toMatchObject({ state: "done", error: null });
});

test("reasons that nobody foresaw stay in the log", () => {
  const outcome = { attempt: 1, isLast: false, error: new Error("at /srv/secret") };
  expect(reportOf("core", outcome).error).not.toContain("secret");
});

test("one transaction deletes a part of many resources, and the message the rest", async () => {
  await db.query(sql`insert into users.features
    (id, type, resource_id, owner_id, client_id, ancestors)
    select gen_random_uuid(), 'document', 'of carl ' || n, 'carl', 'default', '{}'
    from generate_series(1, ${FEATURES_PER_BATCH * 2 + 7}) n`);
  published.length = 0;
  await deleteData("carl");
  const left = async () =>
    (await db.query(sql`select 1 from users.features where owner_id = 'carl'`)).length;
  expect(await left()).toBe(FEATURES_PER_BATCH + 7);
  expect(published).toContain("user_deletions_users");
  await forgetUser(db, { userId: "carl", transferTo: null });
  expect(await left()).toBe(0);
});
