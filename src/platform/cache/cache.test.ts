import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import type { Cache } from "./cache.ts";
import { openCache } from "./open-cache.ts";

const serviceSecret = "secret of the services";
const drivers = [
  { driver: "memory", redisUrl: undefined },
  ...(process.env["REDIS_URL"]
    ? [{ driver: "redis", redisUrl: process.env["REDIS_URL"] }]
    : []),
];

for (const { driver, redisUrl } of drivers) {
  let cache: Cache;
  let other: Cache;
  /** The same cache in another process. */
  let elsewhere: Cache;
  beforeAll(async () => {
    const namespace = `test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
    const options = { redisUrl, namespace, serviceSecret, log: silentLog() };
    cache = await openCache(options);
    elsewhere = redisUrl ? await openCache(options) : cache;
    other = redisUrl
      ? await openCache({
          redisUrl,
          namespace: `${namespace}-other`,
          serviceSecret,
          log: silentLog(),
        })
      : await openCache({ log: silentLog() });
  });
  afterAll(async () => {
    await cache[Symbol.asyncDispose]();
    await elsewhere[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  test(`${driver}: a value exists until it expires, and only in its namespace`, async () => {
    await cache.set("short", "value", 2_000);
    await cache.set("long", "value", 60_000);
    expect(await cache.get("short")).toBe("value");
    expect(await other.get("long")).toBeNull();
    await vi.waitFor(async () => expect(await cache.get("short")).toBeNull(), 90_000);
    expect(await cache.get("long")).toBe("value");
    await cache.delete("long");
    expect(await cache.get("long")).toBeNull();
  });

  test(`${driver}: one of many concurrent adds of a key succeeds`, async () => {
    const won = await Promise.all(
      Array.from({ length: 50 }, (_, n) => cache.add("once", String(n), 10_000)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  test(`${driver}: a log can be read from any index, and a missing log differs from an empty remainder`, async () => {
    expect(await cache.append("log", ["a", "b"], 10_000, { begins: true })).toBe(true);
    expect(await cache.append("log", ["c"], 10_000, { begins: false })).toBe(true);
    expect(await cache.append("log", [], 10_000, { begins: false })).toBe(true);
    expect(await cache.read("log", 1)).toEqual(["b", "c"]);
    expect(await cache.read("log", 0, 2)).toEqual(["a", "b"]);
    expect(await cache.read("log", 3)).toEqual([]);
    expect(await cache.append("never", ["the rest"], 10_000, { begins: false })).toBe(
      false,
    );
    expect(await cache.read("never", 0)).toBeNull();
  });

  test(`${driver}: every subscriber of a channel hears a message until it leaves`, async () => {
    const heard: string[] = [];
    const one = await cache.subscribe("changes", (message) => heard.push(`one ${message}`));
    const two = await cache.subscribe("changes", (message) => heard.push(`two ${message}`));
    await vi.waitFor(async () => {
      await cache.publish("changes", "a");
      expect(heard).toContain("one a");
      expect(heard).toContain("two a");
    }, 90_000);
    await one[Symbol.asyncDispose]();
    heard.length = 0;
    await cache.publish("changes", "b");
    await vi.waitFor(() => expect(heard).toContain("two b"), 90_000);
    expect(heard).not.toContain("one b");
    await two[Symbol.asyncDispose]();
  });

  test(`${driver}: who publishes a message is heard in its own process before it goes on, once`, async () => {
    const heard: string[] = [];
    const one = await cache.subscribe("own", (message) => heard.push(message));
    const hear = (text: string) =>
      vi.waitFor(async () => {
        await elsewhere.publish("own", text);
        expect(heard).toContain(text);
      }, 90_000);
    // the subscription has arrived, so an echo would
    await hear("before");
    const count = heard.length;
    await cache.publish("own", "first");
    expect(heard.slice(count)).toContain("first");
    await hear("after");
    expect(heard.filter((message) => message === "first")).toHaveLength(1);
    await one[Symbol.asyncDispose]();
  });

  test(`${driver}: a limit permits its number of calls for each key, and says when to try again`, async () => {
    const limit = { name: "tries", points: 3, durationMs: 60_000 };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => cache.take(limit, "someone")),
    );
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
    const refused = answers.find(({ allowed }) => !allowed);
    expect(refused?.retryAfterMs).toBeGreaterThan(0);
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(await cache.take(limit, "someone else")).toMatchObject({ allowed: true });
  });

  test(`${driver}: a returned point can be taken again`, async () => {
    const limit = { name: "given-back", points: 1, durationMs: 60_000 };
    for (let n = 0; n < 3; n += 1) {
      expect(await cache.take(limit, "someone")).toMatchObject({ allowed: true });
      await cache.giveBack(limit, "someone");
    }
    expect(await cache.take(limit, "someone")).toMatchObject({ allowed: true });
    expect(await cache.take(limit, "someone")).toMatchObject({ allowed: false });
  });
}

test("while Redis is unavailable, reads fail clearly and limits count in the process", async () => {
  const cache = await openCache({
    redisUrl: "redis://127.0.0.1:1",
    serviceSecret,
    log: silentLog(),
  });
  await expect(cache.get("key")).rejects.toMatchObject({ code: "cache_unavailable" });
  const limit = { name: "tries", points: 1, durationMs: 60_000 };
  expect([await cache.take(limit, "a"), await cache.take(limit, "a")]).toMatchObject([
    { allowed: true },
    { allowed: false },
  ]);
  await (await cache.subscribe("changes", () => {}))[Symbol.asyncDispose]();
  await cache[Symbol.asyncDispose]();
});

test.runIf(process.env["REDIS_URL"])(
  "who has Redis reads nothing of what is in it, and makes up nothing that counts",
  async () => {
    const redisUrl = process.env["REDIS_URL"] ?? "";
    const namespace = `sealed-${process.pid}`;
    const cache = await openCache({ redisUrl, namespace, serviceSecret, log: silentLog() });
    const thief = new Redis(redisUrl, { keyPrefix: `parlance:${namespace}:` });
    await cache.set("grant", "of anna", 60_000);
    await cache.set("other", "of bob", 60_000);
    await cache.append("log", ["the answer", "goes on"], 60_000, { begins: true });
    const heard: string[] = [];
    const listening = await cache.subscribe("stop", (message) => heard.push(message));
    const kept = [await thief.get("grant"), ...(await thief.lrange("log:log", 0, -1))];
    expect(kept.join(" ")).not.toMatch(/anna|answer|goes/);

    await thief.set("grant", "of mallory");
    expect(await cache.get("grant")).toBeNull();
    await thief.set("grant", (await thief.get("other")) ?? "");
    expect(await cache.get("grant")).toBeNull();
    await vi.waitFor(async () => {
      await cache.publish("stop", "ours");
      expect(heard).toContain("ours");
    }, 90_000);
    await thief.publish(`parlance:${namespace}:stop`, "theirs");
    heard.length = 0;
    await cache.publish("stop", "last");
    await vi.waitFor(() => expect(heard).toContain("last"), 90_000);
    expect(heard).not.toContain("theirs");

    expect(await cache.read("log", 0)).toEqual(["the answer", "goes on"]);
    await thief.rpush("log:log", "and something else");
    expect(await cache.read("log", 0)).toBeNull();
    await listening[Symbol.asyncDispose]();
    await cache[Symbol.asyncDispose]();
    thief.disconnect();
  },
);
