import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { knowUsers } from "../testing/know-users.ts";
import { acquireLock, checkLock, forceRelease, getLock, releaseLock } from "./manage-locks.ts";
import { registerFeature } from "../sharing/features-store.ts";
import { createShares } from "../sharing/manage-shares.ts";
import { held } from "../../../../test/support/held.ts";

const TTL = 300_000;
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
}, 60_000);
afterAll(() => db[Symbol.asyncDispose]());

/** An agent that `EDITORS` may edit and `victor` may see. */
async function anAgent() {
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
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) =>
      error instanceof ApiError ? `${error.status} ${error.code}` : String(error),
  );
/** As if the clock had gone on by so much. */
const pass = (featureId: string, ms: number) =>
  db.query(sql`update users.locks set acquired_at = acquired_at - ${ms} * interval '1 millisecond',
    expires_at = expires_at - ${ms} * interval '1 millisecond' where feature_id = ${featureId}`);

test("two thousand attempts at once leave one holder", async () => {
  const agent = await anAgent();
  const attempt = async (
    user: string,
  ): Promise<number | { user: string; token: number; renewed: boolean }> => {
    try {
      const { lock, renewed } = await acquireLock(db, user, agent, TTL);
      return { user, token: lock.token, renewed };
    } catch (error) {
      // who waited too long for a connection asks again, as he is told
      if (error instanceof Unavailable) return attempt(user);
      return error instanceof ApiError ? error.status : 0;
    }
  };
  const outcomes = await Promise.all(
    Array.from({ length: 2_000 }, (_, n) => attempt(EDITORS[n % EDITORS.length] ?? "")),
  );
  const got = outcomes.filter((outcome) => typeof outcome === "object");
  expect(new Set(got.map(({ user }) => user)).size).toBe(1);
  expect(got.filter(({ renewed }) => !renewed)).toHaveLength(1);
  expect(new Set(got.map(({ token }) => token)).size).toBe(1);
  expect(
    outcomes.filter((outcome) => typeof outcome === "number").every((status) => status === 423),
  ).toBe(true);
  held("locks", outcomes.length);
}, 120_000);

test("its holder renews it with the same token; another is told who holds it and until when", async () => {
  const agent = await anAgent();
  const { lock: first } = await acquireLock(db, "anne", agent, TTL);
  await pass(agent.featureId, 200_000);
  const { lock: again, renewed } = await acquireLock(db, "anne", agent, TTL);
  expect([renewed, again.token]).toEqual([true, first.token]);
  expect(Date.parse(again.expiresAt) - Date.parse(again.acquiredAt)).toBeGreaterThan(TTL);
  const error = await acquireLock(db, "beth", agent, TTL).catch((failure: unknown) => failure);
  expect(error).toMatchObject({
    status: 423,
    code: "locked",
    details: { userId: "anne", expiresAt: again.expiresAt },
  });
});

test("a lock ends by time alone, and the next one's token is larger, also after releases", async () => {
  const agent = await anAgent();
  const tokens = [];
  for (let n = 0; n < 3; n += 1) {
    tokens.push((await acquireLock(db, "anne", agent, TTL)).lock.token);
    await pass(agent.featureId, TTL - 1_000);
    expect(await refusal(acquireLock(db, "beth", agent, TTL))).toBe("423 locked");
    await pass(agent.featureId, 1_001);
    expect(await refusal(getLock(db, "anne", agent))).toBe("404 not_locked");
    tokens.push((await acquireLock(db, "beth", agent, TTL)).lock.token);
    await releaseLock(db, "beth", agent);
  }
  expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("release: by its holder once, by another 403, of none 404, to a stranger 404", async () => {
  const agent = await anAgent();
  expect(await refusal(releaseLock(db, "anne", agent))).toBe("404 not_locked");
  await acquireLock(db, "anne", agent, TTL);
  expect(await refusal(releaseLock(db, "beth", agent))).toBe("403 lock_not_yours");
  expect(await refusal(releaseLock(db, "stranger", agent))).toBe("404 resource_not_found");
  expect(await refusal(releaseLock(db, "anne", agent))).toBe("none");
  expect(await refusal(releaseLock(db, "anne", agent))).toBe("404 not_locked");
});

test("only who may edit takes the lock; an administrator ends it, and that is in the audit log", async () => {
  const agent = await anAgent();
  expect(await refusal(acquireLock(db, "victor", agent, TTL))).toBe("403 role_insufficient");
  expect(await refusal(acquireLock(db, "stranger", agent, TTL))).toBe("404 resource_not_found");
  await acquireLock(db, "anne", agent, TTL);
  const adam = { userId: "adam", clientId: "default" };
  const other = { userId: "olivia", clientId: "another" };
  expect(await refusal(forceRelease(db, other, agent.featureId))).toBe("404 not_locked");
  await forceRelease(db, adam, agent.featureId);
  expect(await refusal(forceRelease(db, adam, agent.featureId))).toBe("404 not_locked");
  expect((await acquireLock(db, "beth", agent, TTL)).renewed).toBe(false);
  const events = await db.query(sql`select actor_id as actor, details from users.audit_events
    where action = 'lock.forced' and resource_id = ${agent.resourceId}`);
  expect(events).toEqual([{ actor: "adam", details: { holder: "anne" } }]);
});

test("a late writer is refused by his token, whoever holds the lock now", async () => {
  const agent = await anAgent();
  const { lock: old } = await acquireLock(db, "anne", agent, TTL);
  const may = async (user: string, token?: number) =>
    (await checkLock(db, user, agent, token)).mayWrite;
  expect([await may("anne", old.token), await may("anne"), await may("beth")]).toEqual([
    true,
    true,
    false,
  ]);
  await pass(agent.featureId, TTL + 1);
  expect([await may("anne", old.token), await may("beth")]).toEqual([true, true]);
  await acquireLock(db, "beth", agent, TTL);
  await releaseLock(db, "beth", agent);
  expect([await may("anne", old.token), await may("anne")]).toEqual([false, true]);
  held("locks");
});
