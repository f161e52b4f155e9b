import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { knowUsers } from "../testing/know-users.ts";
import {
  acquireLock,
  checkLock,
  forceRelease,
  getLock,
  releaseLock,
} from "./manage-locks.ts";
import { registerFeature } from "../sharing/features-store.ts";
import { createShares } from "../sharing/manage-shares.ts";
import { held } from "../../../../test/support/held.ts";

const TTL_MS = 300_000;
const EDITORS = ["anne", "beth", "carl"];
let db: Database;
let serial = 0;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  await knowUsers(db, [...EDITORS, "olga", "victor", "stranger"]);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Registers an agent that `EDITORS` may edit and `victor` may see. */
async function createAgent() {
  serial += 1;
  const resource = { resourceType: "agent", resourceId: `agent-${serial}` } as const;
  const { featureId } = await registerFeature(db, { ...resource, ownerId: "olga" });
  await createShares({ db, maxShares: 100 }, "olga", featureId, [
    ...EDITORS.map((subjectId) => ({
      subjectType: "user" as const,
      subjectId,
      accessRole: "editor" as const,
    })),
    { subjectType: "user", subjectId: "victor", accessRole: "viewer" },
  ]);
  return { ...resource, featureId };
}
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) =>
      error instanceof ApiError ? `${error.status} ${error.code}` : String(error),
  );
/** Acts as if the clock had advanced. */
const advanceClock = (featureId: string, ms: number) =>
  db.query(sql`update users.locks set acquired_at = acquired_at - ${ms} * interval '1 millisecond',
    expires_at = expires_at - ${ms} * interval '1 millisecond' where feature_id = ${featureId}`);

test("two thousand concurrent attempts leave one holder", async () => {
  const agent = await createAgent();
  const attempt = async (
    user: string,
  ): Promise<number | { user: string; token: number; renewed: boolean }> => {
    try {
      const { lock, renewed } = await acquireLock(db, user, agent, TTL_MS);
      return { user, token: lock.token, renewed };
    } catch (error) {
      // the wait for a connection took too long; the error says to try again
      if (error instanceof Unavailable) return attempt(user);
      return error instanceof ApiError ? error.status : 0;
    }
  };
  const outcomes = await Promise.all(
    Array.from({ length: 2_000 }, (_, n) => attempt(EDITORS[n % EDITORS.length] ?? "")),
  );
  const granted = outcomes.filter((outcome) => typeof outcome === "object");
  expect(new Set(granted.map(({ user }) => user)).size).toBe(1);
  expect(granted.filter(({ renewed }) => !renewed)).toHaveLength(1);
  expect(new Set(granted.map(({ token }) => token)).size).toBe(1);
  expect(
    outcomes
      .filter((outcome) => typeof outcome === "number")
      .every((status) => status === 423),
  ).toBe(true);
  held("locks", outcomes.length);
});

test("the holder renews the lock and keeps its token; others learn holder and expiry", async () => {
  const agent = await createAgent();
  const { lock: first } = await acquireLock(db, "anne", agent, TTL_MS);
  await advanceClock(agent.featureId, 200_000);
  const { lock: again, renewed } = await acquireLock(db, "anne", agent, TTL_MS);
  expect([renewed, again.token]).toEqual([true, first.token]);
  expect(Date.parse(again.expiresAt) - Date.parse(again.acquiredAt)).toBeGreaterThan(
    TTL_MS,
  );
  const error = await acquireLock(db, "beth", agent, TTL_MS).catch(
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({
    status: 423,
    code: "locked",
    params: { name: "anne", expiresAt: again.expiresAt },
    details: { userId: "anne", expiresAt: again.expiresAt },
  });
});

test("a lock expires by time, and the next lock has a larger token, also after releases", async () => {
  const agent = await createAgent();
  const tokens = [];
  for (let n = 0; n < 3; n += 1) {
    tokens.push((await acquireLock(db, "anne", agent, TTL_MS)).lock.token);
    await advanceClock(agent.featureId, TTL_MS - 1_000);
    expect(await refusalOf(acquireLock(db, "beth", agent, TTL_MS))).toBe("423 locked");
    await advanceClock(agent.featureId, 1_001);
    expect(await refusalOf(getLock(db, "anne", agent))).toBe("404 not_locked");
    tokens.push((await acquireLock(db, "beth", agent, TTL_MS)).lock.token);
    await releaseLock(db, "beth", agent);
  }
  expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("only the holder releases a lock, once; another editor gets 403, a stranger 404", async () => {
  const agent = await createAgent();
  expect(await refusalOf(releaseLock(db, "anne", agent))).toBe("404 not_locked");
  await acquireLock(db, "anne", agent, TTL_MS);
  expect(await refusalOf(releaseLock(db, "beth", agent))).toBe("403 lock_not_yours");
  expect(await refusalOf(releaseLock(db, "stranger", agent))).toBe(
    "404 resource_not_found",
  );
  expect(await refusalOf(releaseLock(db, "anne", agent))).toBe("none");
  expect(await refusalOf(releaseLock(db, "anne", agent))).toBe("404 not_locked");
});

test("only editors acquire the lock; an audited release by an administrator ends it", async () => {
  const agent = await createAgent();
  expect(await refusalOf(acquireLock(db, "victor", agent, TTL_MS))).toBe(
    "403 role_insufficient",
  );
  expect(await refusalOf(acquireLock(db, "stranger", agent, TTL_MS))).toBe(
    "404 resource_not_found",
  );
  await acquireLock(db, "anne", agent, TTL_MS);
  const adam = { userId: "adam", clientId: "default" };
  const other = { userId: "olivia", clientId: "another" };
  expect(await refusalOf(forceRelease(db, other, agent.featureId))).toBe("404 not_locked");
  await forceRelease(db, adam, agent.featureId);
  expect(await refusalOf(forceRelease(db, adam, agent.featureId))).toBe("404 not_locked");
  expect((await acquireLock(db, "beth", agent, TTL_MS)).renewed).toBe(false);
  const events =
    await db.query(sql`select actor_id as actor, details from users.audit_events
    where action = 'lock.forced' and resource_id = ${agent.resourceId}`);
  expect(events).toEqual([{ actor: "adam", details: { holder: "anne" } }]);
});

test("an outdated token refuses a late writer, whoever holds the lock now", async () => {
  const agent = await createAgent();
  const { lock: old } = await acquireLock(db, "anne", agent, TTL_MS);
  const may = async (user: string, token?: number) =>
    (await checkLock(db, user, agent, token)).mayWrite;
  expect([await may("anne", old.token), await may("anne"), await may("beth")]).toEqual([
    true,
    true,
    false,
  ]);
  await advanceClock(agent.featureId, TTL_MS + 1);
  expect([await may("anne", old.token), await may("beth")]).toEqual([true, true]);
  await acquireLock(db, "beth", agent, TTL_MS);
  await releaseLock(db, "beth", agent);
  expect([await may("anne", old.token), await may("anne")]).toEqual([false, true]);
  held("locks");
});
