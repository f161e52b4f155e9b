import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { type Leases, openLeases } from "./leases.ts";

const LONG_MS = 600_000;
let db: Database;
let leases: Leases;
beforeAll(async () => {
  db = await testDatabase();
  leases = await openLeases({ db, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

const busy = () => new Error("busy");
const expire = (name: string) =>
  db.query(sql`update leases.leases set expires_at = now() where name = ${name}`);
const expiryOf = async (name: string) => {
  const [row] = await db.query<{ at: Date }>(
    sql`select expires_at as at from leases.leases where name = ${name}`,
  );
  return row?.at.getTime() ?? 0;
};

test("a lease has one holder until it is released", async () => {
  const first = await leases.take("one", LONG_MS);
  expect(first).toBeDefined();
  expect(await leases.take("one", LONG_MS)).toBeUndefined();
  expect(await leases.take("other", LONG_MS)).toBeDefined();
  await first?.[Symbol.asyncDispose]();
  await using second = await leases.take("one", LONG_MS);
  expect(second?.fence).toBeGreaterThan(first?.fence ?? Number.NaN);
});

test("of many that ask at once, one gets the lease", async () => {
  const asked = await Promise.all(
    Array.from({ length: 20 }, () => leases.take("many", LONG_MS)),
  );
  expect(asked.filter((lease) => lease !== undefined)).toHaveLength(1);
});

test("an expired lease passes to another; its former holder is aborted and cannot release it", async () => {
  // short: the former holder, another process, learns of it at its next renewal
  const others = await openLeases({ db, log: silentLog() });
  const former = await others.take("taken over", 300);
  await vi.waitFor(async () => {
    await expire("taken over");
    expect(await leases.take("taken over", LONG_MS)).toBeDefined();
  }, 90_000);
  await vi.waitFor(() => expect(former?.signal.aborted).toBe(true), 90_000);
  await former?.[Symbol.asyncDispose]();
  expect(await leases.take("taken over", LONG_MS)).toBeUndefined();
});

test("a process does not take over from itself, also when its lease looks expired", async () => {
  const lease = await leases.take("paused", LONG_MS);
  await expire("paused");
  expect(await leases.take("paused", LONG_MS)).toBeUndefined();
  expect(lease?.signal.aborted).toBe(false);
  await lease?.[Symbol.asyncDispose]();
  expect(await leases.take("paused", LONG_MS)).toBeDefined();
});

test("a held lease is renewed", async () => {
  await using lease = await leases.take("renewed", 2_000);
  const before = await expiryOf("renewed");
  await vi.waitFor(
    async () => expect(await expiryOf("renewed")).toBeGreaterThan(before),
    90_000,
  );
  expect(lease).toBeDefined();
});

test("work under a lease runs one at a time, and a failure releases it", async () => {
  let inside = 0;
  let highest = 0;
  const work = async () => {
    inside += 1;
    highest = Math.max(highest, inside);
    await db.query(sql`select 1`);
    inside -= 1;
  };
  const options = { waitMs: 60_000, busy };
  await Promise.all(Array.from({ length: 5 }, () => leases.run("work", options, work)));
  expect(highest).toBe(1);
  const fails = () => Promise.reject(new Error("failed"));
  await expect(leases.run("work", options, fails)).rejects.toThrow("failed");
  expect(await leases.run("work", { waitMs: 0, busy }, async () => "next")).toBe("next");
});

test("waiting for a lease ends with the error of its caller", async () => {
  await using _ = await leases.take("held", LONG_MS);
  await expect(leases.run("held", { waitMs: 0, busy }, async () => {})).rejects.toThrow(
    "busy",
  );
});

test("leases of holders that died are removed at the next start", async () => {
  await leases.take("left behind", LONG_MS);
  await expire("left behind");
  await openLeases({ db, log: silentLog() });
  expect(await expiryOf("left behind")).toBe(0);
});
