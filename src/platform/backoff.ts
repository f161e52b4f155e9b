const MAX_DELAY_MS = 2 ** 18;

/**
 * How long to wait before the next attempt. The delay doubles with each attempt, up to four
 * minutes. Jitter spreads it evenly over its whole length, from half to one and a half of it, so
 * that jobs which failed together do not return together, and no outage uses up all attempts at
 * once.
 */
export function backoff(attempt: number, firstMs: number, random = Math.random): number {
  const delayMs = Math.min(firstMs * 2 ** (attempt - 1), MAX_DELAY_MS);
  return Math.round(delayMs * (0.5 + random()));
}
