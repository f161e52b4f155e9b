interface Period {
  spent: number;
  startsAt: string | null;
  resetsAt: string | null;
}

/** Nothing can be said of the first hour. */
const MIN_ELAPSED_MS = 3_600_000;

/** What will be spent by the end of the period, at the pace so far. */
export function forecast({ spent, startsAt, resetsAt }: Period, now = Date.now()) {
  if (startsAt === null || resetsAt === null) return undefined;
  const start = Date.parse(startsAt);
  const elapsed = now - start;
  if (elapsed < MIN_ELAPSED_MS) return undefined;
  return (spent * (Date.parse(resetsAt) - start)) / elapsed;
}
