/**
 * Waits double with each try, up to some four minutes, with full jitter so that what failed
 * together does not return together.
 */
export function backoff(tries: number, firstMs: number): number {
  const ceiling = Math.min(firstMs * 2 ** (tries - 1), 2 ** 18);
  return Math.round(ceiling / 2 + Math.random() * (ceiling / 2));
}
