/** Returns the median of several runs, because shared machines are noisy. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Rounds that do not count: a server runs for days, and the compiler optimizes during the first
 * thousand requests.
 */
const WARM_UPS = 3;

export interface Contender {
  name: string;
  /** Runs once and returns figures by name. */
  run(): Promise<Record<string, number>>;
}

/** Runs the contenders in turn, several times, and returns the median of each figure. */
export async function interleaved(
  contenders: readonly Contender[],
  rounds: number,
  warmUps = WARM_UPS,
): Promise<Record<string, Record<string, number>>> {
  const seen = new Map(
    contenders.map(({ name }) => [name, [] as Record<string, number>[]]),
  );
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const { name, run } of contenders) {
      const figures = await run();
      if (round >= 0) seen.get(name)?.push(figures);
    }
  }
  return Object.fromEntries(
    [...seen].map(([name, runs]) => {
      const figures = Object.keys(runs[0] ?? {}).map(
        (figure) => [figure, median(runs.map((run) => run[figure] ?? Number.NaN))] as const,
      );
      return [name, Object.fromEntries(figures)];
    }),
  );
}

/** Runs `work` repeatedly with the given concurrency. @returns seconds. */
export async function timed(
  times: number,
  atOnce: number,
  work: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  let left = times;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (performance.now() - startedAt) / 1000;
}

export interface Row {
  name: string;
  figure: string;
  value: number;
  floor: string;
  ratio: number;
}

/** Figures as rows of a table, each with its ratio to the floor's. */
export function rowsAgainst(
  floor: string,
  figures: Record<string, Record<string, number>>,
): Row[] {
  return Object.entries(figures).flatMap(([name, values]) =>
    Object.entries(values).map(([figure, value]) => ({
      name,
      figure,
      value: Number(value.toFixed(2)),
      floor,
      ratio: Number((value / (figures[floor]?.[figure] ?? Number.NaN)).toFixed(2)),
    })),
  );
}
