import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { scratchTables } from "../src/services/parser/tables/testing/scratch-tables.ts";
import { interleaved } from "./measure.ts";
import type { Stage } from "./server.ts";

const ROWS = 1_000_000;
const MADE = `select i as id, 'customer ' || (i % 5000) as customer,
  ['North', 'South', 'East', 'West'][1 + i % 4] as region,
  ((i * 7919) % 100000) / 100 as amount, date '2020-01-01' + (i % 1500)::int as day,
  lpad((i % 99999)::varchar, 5, '0') as code from range(${ROWS}) t(i)`;

const queryOf = (from: string) => `select customer, region, count(*) n, sum(amount) total,
  max(day) newest from ${from} where amount > 5 group by all order by total desc limit 100`;

/**
 * Measures a question about a table of 1,000,000 rows, in its isolated process with copies of all
 * that it reads, against DuckDB alone, which reads the same file.
 */
export async function tableQueries(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const folder = join(stage.dataDir, "tables");
  await mkdir(folder, { recursive: true });
  const csv = join(folder, "orders.csv");
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const direct = await instance.connect();
  await direct.run(`copy (${MADE}) to '${csv}' (header)`);
  const database = join(folder, "orders.duckdb");
  await direct.run(`attach '${database}' as made`);
  await direct.run(`create table made.orders as ${MADE}`);
  await direct.run("detach made");
  await using scratch = await scratchTables();
  scratch.add("orders.csv", await readFile(csv));
  const ask = () => scratch.query(queryOf("orders"), { maxRows: 200 });
  const inMs = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const first = await inMs(ask);
  console.log(`The first question, which reads the file, takes ${first.toFixed(0)} ms.`);
  const results = await interleaved(
    [
      {
        name: "DuckDB alone",
        run: async () => ({
          "ms a question": await inMs(() =>
            direct.runAndReadAll(queryOf(`read_csv('${csv}')`)),
          ),
        }),
      },
      {
        name: "DuckDB alone, a database opened for the question",
        run: async () => ({ "ms a question": await inMs(() => askDatabase(database)) }),
      },
      { name: "query_table", run: async () => ({ "ms a question": await inMs(ask) }) },
    ],
    stage.rounds,
  );
  direct.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
  return results;
}

async function askDatabase(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path, {
    threads: "2",
    access_mode: "READ_ONLY",
  });
  const connection = await instance.connect();
  await connection.runAndReadAll(queryOf("orders"));
  connection.closeSync();
  instance.closeSync();
}
