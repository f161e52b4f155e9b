import type { Logger } from "../telemetry/log.ts";
import type { Cache } from "./cache.ts";
import { memoryCache } from "./memory.ts";

/** Opens Redis where it is configured, otherwise a cache in memory. */
export async function openCache({
  redisUrl,
  namespace = "",
  serviceSecret = "",
  log,
}: {
  redisUrl?: string | undefined;
  namespace?: string;
  /** Seals what is kept in Redis. */
  serviceSecret?: string;
  log: Logger;
}): Promise<Cache> {
  if (redisUrl === undefined) return memoryCache();
  const { redisCache } = await import("./redis.ts");
  const prefix = `parlance:${namespace && `${namespace}:`}`;
  return redisCache({ url: redisUrl, prefix, serviceSecret, log });
}
