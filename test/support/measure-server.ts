import { readFile } from "node:fs/promises";

/**
 * The longest turn of a server's event loop since a time, in ms, from the file to which
 * `record-turns.ts` writes.
 */
export async function longestTurnSince(
  turnsFile: string,
  beganAt: number,
): Promise<number> {
  const lines = await readFile(turnsFile, "utf8").catch(() => ""); // no long turn yet
  const turns = lines.trim().split("\n");
  const times = turns.flatMap((line) => {
    const [endedAt = 0, ms = 0] = line.split(" ").map(Number);
    return endedAt >= beganAt ? [ms] : [];
  });
  return Math.max(0, ...times);
}

/** How much of its heap a server uses. */
export async function heapBytes({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
}
