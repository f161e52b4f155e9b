import { DuckDBInstance } from "@duckdb/node-api";

/** What code that Node's permission model does not limit reaches: DuckDB without its own lock. */
export default async function tryNatively(
  { statements }: { statements: readonly string[] },
  _: Buffer,
  folder: string,
): Promise<string[]> {
  process.chdir(folder);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const outcomes: string[] = [];
  for (const statement of statements)
    outcomes.push(
      await connection.runAndReadAll(statement).then(
        (read) => (read.currentRowCount > 0 ? "reached" : "nothing there"),
        () => "failed",
      ),
    );
  connection.closeSync();
  instance.closeSync();
  return outcomes;
}
