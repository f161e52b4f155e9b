import { expect, test, vi } from "vitest";
import { openCache } from "../cache/open-cache.ts";
import type { Cache } from "../cache/cache.ts";
import { silentLog } from "../telemetry/log.ts";
import type { User } from "./caller.ts";
import { createStreamLimit } from "./stream-limit.ts";

const userOf = (userId: string): User => ({
  kind: "user",
  via: "jwt",
  userId,
  clientId: "default",
  email: "",
  name: "",
  roles: [],
});
const open = () => openCache({ redisUrl: undefined, namespace: "test", log: silentLog() });
const REFUSED = { code: "too_many_streams", status: 429 };

test("limits the streams of each user across replicas that share a cache, and frees a place when one ends", async () => {
  await using cache = await open();
  const [first, second] = [createStreamLimit(cache, 2), createStreamLimit(cache, 2)];
  const release = await first.enter(userOf("anne"));
  await second.enter(userOf("anne"));
  await expect(first.enter(userOf("anne"))).rejects.toMatchObject(REFUSED);
  await expect(second.enter(userOf("anne"))).rejects.toMatchObject(REFUSED);
  await first.enter(userOf("beth"));
  await release();
  await second.enter(userOf("anne"));
});

test("limits the streams of each process while the cache is unavailable", async () => {
  await using cache = await open();
  const away: Cache = Object.assign(Object.create(cache) as Cache, {
    add: () => Promise.reject(new Error("away")),
  });
  const limit = createStreamLimit(away, 1);
  const release = await limit.enter(userOf("anne"));
  await expect(limit.enter(userOf("anne"))).rejects.toMatchObject(REFUSED);
  await release();
  await limit.enter(userOf("anne"));
});

test("does not take a place again by a renewal that was under way when it was released", async () => {
  await using cache = await open();
  const renewing = Promise.withResolvers<void>();
  const slow: Cache = Object.assign(Object.create(cache) as Cache, {
    set: async (...entry: Parameters<Cache["set"]>) => {
      await renewing.promise;
      await cache.set(...entry);
    },
  });
  vi.useFakeTimers();
  const release = await createStreamLimit(slow, 1).enter(userOf("anne"));
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  const released = release();
  renewing.resolve();
  await released;
  await createStreamLimit(cache, 1).enter(userOf("anne"));
});
