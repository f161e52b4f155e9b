import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { type Leases, openLeases } from "../../../platform/lease/leases.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import {
  type AccountRecord,
  CredentialsRefused,
  type Provider,
} from "../providers/provider.ts";
import { createRegistry } from "../providers/registry.ts";
import { createAccounts, createTokenCache } from "./accounts.ts";

let db: Database;
let leases: Leases;
beforeAll(async () => {
  db = await testDatabase();
  leases = await openLeases({ db, log: silentLog() });
  await migrate(db, {
    schema: "integrations",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

/** A minimal provider of another kind than Langflow, in memory. */
function newProvider(name: string) {
  const users = new Map<string, string>();
  const records = new Map<string, AccountRecord>();
  const counts = { created: 0, logins: 0, refreshes: 0, keys: 0 };
  const moment = () => new Promise((resolve) => setTimeout(resolve, 5));
  const tokens = () => ({
    accessToken: "a",
    refreshToken: "r",
    expiresAt: Date.now() + 3_600_000,
  });
  const noFlows = () =>
    Promise.reject(new NotFound("flow_not_found", "This provider has no flows."));
  const provider: Provider = {
    name,
    check: async () => ({ version: "1" }),
    users: {
      usernameFor: (userId) => `${name}/${userId}`,
      async create(username, password) {
        await moment();
        counts.created += 1;
        users.set(username, password);
      },
      async login(username, password) {
        await moment();
        if (users.get(username) !== password) throw new CredentialsRefused();
        counts.logins += 1;
        return tokens();
      },
      async refresh() {
        await moment();
        counts.refreshes += 1;
        return tokens();
      },
      async createKey() {
        counts.keys += 1;
        return `key ${counts.keys}`;
      },
      remove: async (username) => void users.delete(username),
    },
    records: {
      get: async (userId) => records.get(userId),
      save: async (userId, record) => void records.set(userId, record),
    },
    flows: {
      operatorKey: "",
      list: async () => [],
      create: noFlows,
      get: noFlows,
      run: noFlows,
    },
  };
  return { provider, users, records, counts };
}

const signal = () => AbortSignal.timeout(60_000);
const replica = () => createAccounts({ leases, log: silentLog() });

test("a second provider in the registry has its own accounts and tokens", async () => {
  const [one, other] = [newProvider("one"), newProvider("other")];
  const registry = createRegistry([one.provider, other.provider]);
  const accounts = replica();
  await accounts.ensureTokens(registry.get("other"), "anne", signal());
  expect([one.counts.created, other.counts.created]).toEqual([0, 1]);
  expect(() => registry.get("third")).toThrow(NotFound);
  expect(() => createRegistry([one.provider, one.provider])).toThrow("same name");
});

test("concurrent requests on replicas create one account, and each signs in at most once", async () => {
  const { provider, counts, records } = newProvider("replicated");
  const replicas = [replica(), replica(), replica()];
  const asks = replicas.flatMap((accounts) =>
    Array.from({ length: 50 }, () => accounts.ensureTokens(provider, "anne", signal())),
  );
  await Promise.all(asks);
  expect(counts).toMatchObject({ created: 1, keys: 1 });
  expect(counts.logins).toBeLessThanOrEqual(3);
  expect(records.size).toBe(1);
});

test("a key that several replicas see refused at once is replaced once", async () => {
  const { provider, counts } = newProvider("rekeyed");
  const replicas = [replica(), replica()];
  await replica().ensureAccount(provider, "anne", signal());
  const work = async (key: string) => {
    if (key === "key 1") throw new CredentialsRefused();
    return key;
  };
  const asks = replicas.flatMap((accounts) =>
    Array.from({ length: 20 }, () => accounts.withKey(provider, "anne", signal(), work)),
  );
  expect(new Set(await Promise.all(asks))).toEqual(new Set(["key 2"]));
  expect(counts).toMatchObject({ created: 1, keys: 2 });
});

test("a caller who aborts does not end the creation of an account for others", async () => {
  const { provider, counts } = newProvider("left");
  const accounts = replica();
  const impatient = new AbortController();
  const left = accounts.ensureAccount(provider, "anne", impatient.signal);
  const stays = accounts.ensureAccount(provider, "anne", signal());
  impatient.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect((await stays).created).toBe(true);
  expect(counts.created).toBe(1);
});

test("tokens are only in memory, and the oldest of very many are dropped", async () => {
  const { provider, counts } = newProvider("forgetful");
  await replica().ensureTokens(provider, "anne", signal());
  await replica().ensureTokens(provider, "anne", signal());
  expect(counts.logins).toBe(2);
  const cache = createTokenCache();
  const tokens = { accessToken: "a", refreshToken: "r", expiresAt: 0 };
  for (let n = 0; n <= 10_000; n += 1) cache.put(`user ${n}`, tokens);
  expect([cache.get("user 0"), cache.get("user 1")]).toEqual([undefined, tokens]);
});

test("a token counts as expired shortly before its expiry", () => {
  const cache = createTokenCache(() => 1_000_000);
  const at = (expiresAt: number) =>
    cache.isFresh({ accessToken: "a", refreshToken: "r", expiresAt });
  expect([at(1_029_999), at(1_030_001)]).toEqual([false, true]);
});
