import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Cache, Limit } from "./cache.ts";
import { localLimits } from "./local-limits.ts";
import { consumed, localChannels } from "./memory.ts";
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { deriveKey } from "../auth/secrets.ts";

interface Options {
  url: string;
  /** Before every key and channel. */
  prefix: string;
  /** Seals values, logs and messages with a key of it. Counts of limits are in clear. */
  serviceSecret: string;
  log: Logger;
}

/** A cache on Redis or Valkey, which several processes share. */
export function redisCache({ url, prefix, serviceSecret, log }: Options): Cache {
  const sealer = createTextSealer(serviceSecret);
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
    ...valuesIn(client, sealer),
    ...messagesOver(client, subscriber, { prefix, sealer, log }),
    ...logsIn(client, sealer),
    ...limitsIn(client),
    ping: async () => void (await run(client.ping())),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      subscriber.disconnect();
    },
  };
}

function valuesIn(
  client: Redis,
  { seal, open }: TextSealer,
): Pick<Cache, "get" | "set" | "add" | "delete"> {
  return {
    async get(key) {
      const value = await run(client.get(key));
      return value === null ? null : open(key, value);
    },
    set: async (key, value, ttlMs) =>
      void (await run(client.set(key, seal(key, value), "PX", ttlMs))),
    add: async (key, value, ttlMs) =>
      (await run(client.set(key, seal(key, value), "PX", ttlMs, "NX"))) === "OK",
    delete: async (key) => void (await run(client.del(key))),
  };
}

function messagesOver(
  client: Redis,
  subscriber: Redis,
  { prefix, sealer, log }: { prefix: string; sealer: TextSealer; log: Logger },
): Pick<Cache, "publish" | "subscribe"> {
  const here = localChannels();
  /** How many listen to a channel, by its name at Redis. */
  const listening = new Map<string, number>();
  const self = randomUUID();
  subscriber.on("message", (name: string, message: string) => {
    const opened = sealer.open(name, message);
    // what this process published, its listeners have heard
    if (opened === null || opened.startsWith(self)) return;
    here.publish(name.slice(prefix.length), opened.slice(self.length));
  });
  return {
    async publish(channel, message) {
      const name = prefix + channel;
      const sent = run(client.publish(name, sealer.seal(name, self + message)));
      here.publish(channel, message);
      await sent;
    },
    async subscribe(channel, listener) {
      const name = prefix + channel;
      const heard = await here.subscribe(channel, listener);
      const before = listening.get(name) ?? 0;
      listening.set(name, before + 1);
      // while Redis is unavailable, the client keeps the command; the caller does not wait for it
      if (before === 0)
        subscriber
          .subscribe(name)
          .catch((error: unknown) =>
            log.warn({ err: error }, "could not subscribe at Redis; check REDIS_URL"),
          );
      let isOver = false;
      return {
        async [Symbol.asyncDispose]() {
          if (isOver) return;
          isOver = true;
          await heard[Symbol.asyncDispose]();
          const left = (listening.get(name) ?? 1) - 1;
          if (left > 0) return void listening.set(name, left);
          listening.delete(name);
          // messages that still arrive have no listener
          subscriber.unsubscribe(name).catch(() => {});
        },
      };
    },
  };
}

function logsIn(client: Redis, { seal, open }: TextSealer): Pick<Cache, "append" | "read"> {
  return {
    async append(key, texts, ttlMs, { begins }) {
      if (texts.length === 0) return true;
      const items = texts.map((text) => seal(`log:${key}`, text));
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
      const texts = items.map((item) => open(`log:${key}`, item));
      // somebody else wrote to it: it is no log of ours any more
      if (texts.includes(null)) return null;
      if (texts.length > 0) return texts as string[]; // just checked
      return (await run(client.exists(`log:${key}`))) === 1 ? [] : null;
    },
  };
}

/** Counts in Redis, and in this process while Redis is unavailable: a limit always holds. */
function limitsIn(client: Redis): Pick<Cache, "take" | "giveBack"> {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterOf = (limit: Limit): RateLimiterRedis => {
    const limiter = limiters.get(limit.name) ?? limiterOn(client, limit);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  const local = localLimits();
  return {
    take: (limit, key) =>
      consumed(limiterOf(limit).consume(key)).catch(() => local.take(limit, key)),
    async giveBack(limit, key) {
      await limiterOf(limit)
        .reward(key)
        .catch(() => local.giveBack(limit, key));
    },
  };
}

function limiterOn(
  storeClient: Redis,
  { name, points, durationMs }: Limit,
): RateLimiterRedis {
  const duration = durationMs / 1000;
  return new RateLimiterRedis({ storeClient, keyPrefix: name, points, duration });
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

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface TextSealer {
  seal(place: string, text: string): string;
  /** @returns null for what this installation did not write at this place. */
  open(place: string, sealed: string): string | null;
}

/**
 * Encrypts texts with AES-256-GCM, bound to where they are kept. Whoever has the store reads
 * nothing of them, and makes up nothing that counts.
 */
function createTextSealer(serviceSecret: string): TextSealer {
  const key = deriveKey(serviceSecret, "cache");
  const options = { authTagLength: TAG_BYTES };
  return {
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, options);
      cipher.setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      const body = NONCE_BYTES + TAG_BYTES;
      if (bytes.length < body) return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, options);
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, body));
      try {
        return (
          decipher.update(bytes.subarray(body), undefined, "utf8") + decipher.final("utf8")
        );
      } catch {
        return null;
      }
    },
  };
}
