import type { Logger } from "../telemetry/log.ts";
import type { Cache } from "./cache.ts";
import { memoryCache } from "./memory.ts";

/** Redis where it is configured, otherwise memory. */
export async function openCache({ redisUrl, log }: { redisUrl?: string | undefined; log: Logger }): Promise<Cache> {
  if (redisUrl === undefined) return memoryCache();
  const { redisCache } = await import("./redis.ts");
  return redisCache(redisUrl, log);
}
