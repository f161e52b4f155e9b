import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Cache, Limit } from "./cache.ts";
import { consumed } from "./memory.ts";

/** A cache on Redis or Valkey, which several processes share. */
export function redisCache(url: string, prefix: string, log: Logger): Cache {
  const options = {
    commandTimeout: 2_000,
    connectTimeout: 5_000,
    maxRetriesPerRequest: 1,
    keyPrefix: prefix,
    retryStrategy: (n: number) => Math.min(n * 200, 2_000),
  };
  const client = new Redis(url, options);
  const subscriber = new Redis(url, {
    ...options,
    commandTimeout: undefined,
    maxRetriesPerRequest: null,
  });
  for (const connection of [client, subscriber])
    connection.on("error", (error) =>
      log.warn({ err: error }, "Redis cannot be reached; check REDIS_URL"),
    );
  return {
    ...valuesIn(client),
    ...messagesOver(client, subscriber, prefix, log),
    ...logsIn(client),
    ...limitsIn(client),
    ping: async () => void (await run(client.ping())),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      subscriber.disconnect();
    },
  };
}

function valuesIn(client: Redis): Pick<Cache, "get" | "set" | "add" | "delete"> {
  return {
    get: (key) => run(client.get(key)),
    set: async (key, value, ttlMs) => void (await run(client.set(key, value, "PX", ttlMs))),
    add: async (key, value, ttlMs) =>
      (await run(client.set(key, value, "PX", ttlMs, "NX"))) === "OK",
    delete: async (key) => void (await run(client.del(key))),
  };
}

function messagesOver(
  client: Redis,
  subscriber: Redis,
  prefix: string,
  log: Logger,
): Pick<Cache, "publish" | "subscribe"> {
  const listeners = new Map<string, Set<(message: string) => void>>();
  subscriber.on("message", (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message);
  });
  return {
    publish: async (channel, message) =>
      void (await run(client.publish(prefix + channel, message))),
    async subscribe(channel, listener) {
      const name = prefix + channel;
      const sameChannel = listeners.get(name) ?? new Set();
      listeners.set(name, sameChannel.add(listener));
      // while Redis is unavailable, the client keeps the command; the caller does not wait for it
      if (sameChannel.size === 1)
        subscriber
          .subscribe(name)
          .catch((error: unknown) =>
            log.warn({ err: error }, "could not subscribe at Redis; check REDIS_URL"),
          );
      return {
        async [Symbol.asyncDispose]() {
          sameChannel.delete(listener);
          if (sameChannel.size > 0) return;
          listeners.delete(name);
          subscriber.unsubscribe(name).catch(() => {});
        },
      };
    },
  };
}

function logsIn(client: Redis): Pick<Cache, "append" | "read"> {
  return {
    async append(key, items, ttlMs, { begins }) {
      if (items.length === 0) return true;
      const batch = client.multi();
      if (begins) batch.rpush(`log:${key}`, ...items);
      else batch.rpushx(`log:${key}`, ...items);
      const answers = await run(batch.pexpire(`log:${key}`, ttlMs).exec());
      const failed = answers?.find(([error]) => error !== null)?.[0];
      if (failed) throw unavailable(failed);
      return answers?.[0]?.[1] !== 0;
    },
    async read(key, from, limit) {
      const items = await run(
        client.lrange(`log:${key}`, from, limit === undefined ? -1 : from + limit - 1),
      );
      if (items.length > 0) return items;
      return (await run(client.exists(`log:${key}`))) === 1 ? [] : null;
    },
  };
}

function limitsIn(client: Redis): Pick<Cache, "take" | "giveBack"> {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterOf = (limit: Limit): RateLimiterRedis => {
    const limiter = limiters.get(limit.name) ?? limiterOn(client, limit);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  return {
    take: (limit, key) => consumed(limiterOf(limit).consume(key)),
    async giveBack(limit, key) {
      await limiterOf(limit).reward(key);
    },
  };
}

/** Counts in Redis, and in this process while Redis is unavailable: a limit always holds. */
function limiterOn(
  storeClient: Redis,
  { name, points, durationMs }: Limit,
): RateLimiterRedis {
  const duration = durationMs / 1000;
  return new RateLimiterRedis({
    storeClient,
    keyPrefix: name,
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration }),
  });
}

async function run<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable(
    "cache_unavailable",
    "The cache does not answer. Try again in a moment.",
    2_000,
    { cause },
  );
}
