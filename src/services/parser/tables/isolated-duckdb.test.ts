import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { workingIsolations } from "../../../platform/isolation/testing/working-isolations.ts";
import type { Task } from "../../../platform/workers/task.ts";
import { createWorkers } from "../../../platform/workers/workers.ts";
import type tryNatively from "./testing/try-natively.ts";

const TASK: Task<typeof tryNatively> = {
  file: new URL("./testing/try-natively.ts", import.meta.url),
  timeoutMs: 60_000,
  advice: "Make it smaller.",
};
const mountPoint = await mkdtemp(join(tmpdir(), "isolated-duckdb-"));
const folders = await mkdtemp("/tmp/isolated-duckdb-work-");
await chmod(folders, 0o711);
const isolations = [...(await workingIsolations(mountPoint))];
afterAll(async () => {
  for (const path of [mountPoint, folders])
    await rm(path, { recursive: true, force: true });
});

test.each(isolations.filter(([, { holds }]) => holds.includes("files")))(
  "what took over DuckDB reads and writes its own folder and no other: %s",
  async (_, isolation) => {
    await using workers = createWorkers({ size: 1, isolation, folders, addons: true });
    const neighbour = await mkdtemp(join(folders, "neighbour-"));
    await writeFile(join(neighbour, "secret.csv"), "a\n1\n");
    const outside = join("/tmp", `outside-${process.pid}.csv`);
    const statements = [
      "copy (select 1 a) to 'own.csv'",
      "select * from read_csv('own.csv')",
      "select * from read_text('/etc/passwd')",
      "select * from glob('/etc/*')",
      `select * from glob('${folders}/*/*.csv') where file not like '%own.csv'`,
      `select * from read_csv('${neighbour}/secret.csv')`,
      `copy (select 1) to '${outside}'`,
    ];
    const outcomes = await workers.run(TASK, { statements });
    expect(Object.fromEntries(statements.map((sql, at) => [sql, outcomes[at]]))).toEqual({
      [statements[0] ?? ""]: "reached",
      [statements[1] ?? ""]: "reached",
      [statements[2] ?? ""]: "nothing there",
      [statements[3] ?? ""]: "nothing there",
      [statements[4] ?? ""]: "nothing there",
      [statements[5] ?? ""]: "failed",
      [statements[6] ?? ""]: "failed",
    });
    expect(existsSync(outside)).toBe(false);
  },
);

test("a pool that does not allow compiled packages loads none", async () => {
  await using workers = createWorkers({ size: 1, folders });
  await expect(workers.run(TASK, { statements: ["select 1"] })).rejects.toThrow(
    /loading addons is disabled/,
  );
});
