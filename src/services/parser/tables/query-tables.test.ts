import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../platform/http/errors.ts";
import { notIsolated } from "../../../platform/isolation/isolation.ts";
import { scratchTables } from "./testing/scratch-tables.ts";

type Scratch = Awaited<ReturnType<typeof scratchTables>>;
const outcome = (running: Promise<unknown>) =>
  running.then(
    (value) => ({ code: "answered", message: JSON.stringify(value) }),
    (error: unknown) => {
      if (error instanceof ApiError) return { code: error.code, message: error.message };
      throw error;
    },
  );
const PEOPLE = "id,name,city\n1,Ada,Rome\n2,Bob,Oslo\n3,Eve,Rome\n";

const calls: string[] = [];
const outside = createServer((request, response) => {
  calls.push(request.url ?? "");
  response.end("a,b\n1,2\n");
}).listen(0, "127.0.0.1");
await once(outside, "listening");
const { port } = outside.address() as AddressInfo; // it listens on a port
afterAll(() => void outside.close());

const written = join(tmpdir(), `written-by-sql-${process.pid}`);
/** Each tries to leave the tables; none of them answers. */
const ESCAPES = [
  "ATTACH '/etc/passwd' AS x",
  `ATTACH '${written}.duckdb'`,
  `COPY people TO '${written}.csv'`,
  "COPY people FROM '/etc/passwd'",
  `EXPORT DATABASE '${written}'`,
  "IMPORT DATABASE '/tmp'",
  "INSTALL httpfs",
  "FORCE INSTALL httpfs",
  "LOAD httpfs",
  "LOAD '/tmp/evil.duckdb_extension'",
  "UPDATE EXTENSIONS",
  `SELECT * FROM read_csv('http://127.0.0.1:${port}/x')`,
  `SELECT * FROM 'http://127.0.0.1:${port}/x.csv'`,
  `SELECT * FROM read_json('http://127.0.0.1:${port}/x')`,
  `SELECT * FROM read_parquet('s3://bucket/x')`,
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/proc/self/environ')",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM glob('/*')",
  "SELECT * FROM glob('*')",
  "SELECT * FROM read_duckdb('0.duckdb')",
  "SELECT * FROM sniff_csv('/etc/passwd')",
  "SELECT * FROM parquet_metadata('/etc/passwd')",
  "SELECT * FROM query('SELECT * FROM duckdb_databases()')",
  "SELECT * FROM query_table('duckdb_databases')",
  "SELECT * FROM duckdb_databases()",
  "SELECT * FROM duckdb_databases",
  "SELECT * FROM duckdb_settings()",
  "SELECT * FROM duckdb_secrets()",
  "SELECT * FROM pragma_database_list",
  "WITH x AS (SELECT * FROM duckdb_databases()) SELECT * FROM x",
  "SELECT (SELECT path FROM duckdb_databases() LIMIT 1)",
  "SELECT getenv('PATH')",
  "PRAGMA database_list",
  "PRAGMA enable_profiling",
  "SET memory_limit = '64GB'",
  "SET enable_external_access = true",
  "SET lock_configuration = false",
  "RESET enable_external_access",
  "CALL pragma_version()",
  "CREATE TABLE x AS SELECT 1",
  "CREATE SECRET s (TYPE s3)",
  "CREATE MACRO f(a) AS TABLE SELECT * FROM read_text(a)",
  "INSERT INTO people VALUES (4)",
  "DELETE FROM d0.main.t0",
  "DROP VIEW people",
  "USE d0",
  "DETACH d0",
  "CHECKPOINT",
  "PREPARE p AS SELECT 1",
  "SELECT 1; ATTACH '/tmp/x'",
  "EXPLAIN ANALYZE SELECT 1",
];

describe.each([
  ["in the isolation of this machine", undefined],
  ["by DuckDB's own settings alone", notIsolated],
])("%s", (_, isolation) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchTables(isolation);
    scratch.add("people.csv", PEOPLE);
  });
  afterAll(() => scratch[Symbol.asyncDispose]());

  test.each(ESCAPES)("%s is refused, and nothing is reached", async (sql) => {
    const { code, message } = await outcome(scratch.query(sql));
    expect(["query_not_select", "query_failed"]).toContain(code);
    expect(message).not.toContain(scratch.folder);
    expect(message).not.toContain("root:");
    expect(calls).toEqual([]);
    for (const end of ["", ".csv", ".duckdb"])
      expect(existsSync(written + end)).toBe(false);
  });

  test("nothing of one query is left for the next, and the table is as it was", async () => {
    await outcome(scratch.query("CREATE TABLE left_over AS SELECT 1"));
    expect((await outcome(scratch.query("SELECT * FROM left_over"))).code).toBe(
      "query_failed",
    );
    expect((await scratch.query("SELECT count(*) FROM people")).rows).toEqual([["3"]]);
  });
});

describe("a query", () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchTables();
    scratch.add("people.csv", PEOPLE);
    scratch.add("cities.csv", "city,country\nRome,Italy\nOslo,Norway\n");
  });
  afterAll(() => scratch[Symbol.asyncDispose]());

  test("joins tables of several documents, and names those that it reads", async () => {
    const answer = await scratch.query(
      "SELECT country, count(*) n FROM people JOIN cities USING (city) GROUP BY ALL ORDER BY n DESC",
      { maxBehind: 10 },
    );
    expect(answer.rows).toEqual([
      ["Italy", "2"],
      ["Norway", "1"],
    ]);
    expect(answer.columns).toEqual([
      { name: "country", type: "VARCHAR" },
      { name: "n", type: "BIGINT" },
    ]);
    expect(answer.documents.map(({ fileName }) => fileName).toSorted()).toEqual([
      "cities.csv",
      "people.csv",
    ]);
    expect(answer.behind?.total).toBe(3);
  });

  test("a sum comes with the rows that it is made from, and how many these are", async () => {
    const { behind } = await scratch.query(
      "SELECT sum(id) FROM people WHERE city = 'Rome' HAVING count(*) > 0 ORDER BY 1 LIMIT 1",
      { maxBehind: 1 },
    );
    expect(behind).toMatchObject({ rows: [["1", "Ada", "Rome"]], cut: true, total: 2 });
    const plain = await scratch.query("SELECT name FROM people", { maxBehind: 5 });
    expect(plain.behind).toBeUndefined();
  });

  test("numbers that JavaScript cannot hold stay what they are in the rows behind", async () => {
    const { behind } = await scratch.query(
      "SELECT count(*) FROM people WHERE id < 9007199254740993 AND id::HUGEINT + 9007199254740993 = 9007199254740994",
      { maxBehind: 5 },
    );
    expect(behind?.rows).toEqual([["1", "Ada", "Rome"]]);
  });

  test("wrong SQL gets DuckDB's message, and the tables that there are", async () => {
    const column = await outcome(scratch.query("SELECT nmae FROM people"));
    expect(column.message).toMatch(/Referenced column "nmae" not found[\s\S]*"name"/);
    const table = await outcome(scratch.query("SELECT * FROM peple"));
    expect(table.message).toContain('The tables are: "cities", "people".');
    const syntax = await outcome(scratch.query("SELECT sum( FROM people"));
    expect(syntax.message).toMatch(
      /^The query failed\. Correct it: Parser Error: syntax error/,
    );
  });

  test("rows, long values and all text together are bounded, and the answer says so", async () => {
    const rows = await scratch.query("SELECT * FROM range(1000000)", { maxRows: 7 });
    expect(rows).toMatchObject({ cut: true });
    expect(rows.rows).toHaveLength(7);
    const long = await scratch.query("SELECT repeat('x', 100000)");
    expect(long.rows[0]?.[0]?.length).toBe(2_001);
    const many = await scratch.query("SELECT repeat('x', 2000) FROM range(5000)", {
      maxRows: 10_000,
    });
    expect(many.cut).toBe(true);
    expect(JSON.stringify(many.rows).length).toBeLessThan(1_100_000);
  });

  test("a query that takes too much memory ends, and the next one runs", async () => {
    const { code } = await outcome(
      scratch.query("SELECT list(repeat('x', 1000) || range) FROM range(5000000)"),
    );
    expect(code).toBe("too_complex");
    expect((await scratch.query("SELECT 1")).rows).toEqual([["1"]]);
  });

  test("cancelling ends a running query, and the next one runs", async () => {
    const leaving = new AbortController();
    const running = outcome(
      scratch.query(
        "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * 2 = b.range + 1",
        { signal: leaving.signal },
      ),
    );
    await expect.poll(() => scratch.tables.state().running).toBe(1);
    leaving.abort();
    expect((await running).code).toBe("request_cancelled");
    expect((await scratch.query("SELECT 1")).rows).toEqual([["1"]]);
  });
});
