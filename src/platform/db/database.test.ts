import { afterAll, beforeAll, expect, test, vi } from "vitest";
import sql from "sql-template-tag";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase, testServerUrl } from "../testing/database.ts";
import { silentLog } from "../telemetry/log.ts";
import type { Database } from "./database.ts";
import { jsonb } from "./jsonb.ts";
import { openDatabase } from "./open-database.ts";
import { isUniqueViolation } from "./errors.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await db.query(sql`create table things (id int primary key, name text)`);
});
afterAll(() => db[Symbol.asyncDispose]());

const names = async (from: number, to: number) =>
  (
    await db.query<{ name: string }>(
      sql`select name from things where id between ${from} and ${to} order by id`,
    )
  ).map(({ name }) => name);

test("a transaction commits completely or not at all, and sees its own writes", async () => {
  await db.tx(async () => {
    await db.query(sql`insert into things values (1, ${"a"})`);
    expect(await names(1, 9)).toEqual(["a"]);
  });
  await expect(
    db.tx(async () => {
      await db.query(sql`insert into things values (2, ${"b"})`);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await names(1, 9)).toEqual(["a"]);
});

test("a nested transaction rolls back alone", async () => {
  await db.tx(async () => {
    await db.query(sql`insert into things values (11, 'outer')`);
    await db
      .tx(async () => {
        await db.query(sql`insert into things values (12, 'inner')`);
        throw new Error("inner");
      })
      .catch(() => {});
  });
  expect(await names(11, 19)).toEqual(["outer"]);
});

test("concurrent statements and nested transactions of one transaction do not undo each other", async () => {
  await db.tx(async () => {
    await Promise.allSettled([
      db.tx(async () => {
        await db.query(sql`insert into things values (31, 'kept')`);
        await db.tx(async () => db.query(sql`insert into things values (32, 'deep')`));
      }),
      db.tx(async () => {
        await db.query(sql`insert into things values (33, 'undone')`);
        throw new Error("no");
      }),
      db.query(sql`insert into things values (34, 'beside')`),
      db.tx(async () => db.query(sql`insert into things values (31, 'twice')`)),
    ]);
  });
  expect(await names(31, 39)).toEqual(["kept", "deep", "beside"]);
});

test("a statement that is not awaited belongs to its transaction, and a later one does not", async () => {
  let later: Promise<unknown> | undefined;
  await db.tx(async () => {
    void db.query(sql`insert into things values (41, 'not awaited')`);
    later = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
      db.query(sql`insert into things values (42, 'after')`),
    );
  });
  await later;
  expect(await names(41, 49)).toEqual(["not awaited", "after"]);
});

test("a notification is sent with the commit, and not after a rollback", async () => {
  const heard: string[] = [];
  await using _ = await db.listen("birds", (payload) => heard.push(payload));
  await db
    .tx(async () => {
      await db.notify("birds", "rolled back");
      throw new Error("no");
    })
    .catch(() => {});
  await db.tx(() => db.notify("birds", "committed"));
  await vi.waitFor(() => expect(heard).toEqual(["committed"]), 90_000);
});

test("fifty concurrent transactions do not mix", async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      db
        .tx(async () => {
          await db.query(sql`insert into things values (${100 + i}, ${`n${i}`})`);
          if (i % 2) throw new Error("odd");
        })
        .catch(() => {}),
    ),
  );
  expect(await names(100, 199)).toEqual(Array.from({ length: 25 }, (_, i) => `n${i * 2}`));
});

test("a constraint violation is recognized, and the connection stays usable", async () => {
  await db.query(sql`insert into things values (21, 'x')`);
  const error = await db
    .query(sql`insert into things values (21, 'y')`)
    .catch((failure: unknown) => failure);
  expect(isUniqueViolation(error)).toBe(true);
  await db.ping();
});

test("characters that PostgreSQL cannot hold are replaced, and a backslash stays one", async () => {
  const value = {
    nul: "a\u0000b",
    half: "a\ud800b",
    whole: "😀",
    escaped: "\\u0000 \\\\u0000",
  };
  const [row] = await db.query<{ value: typeof value; text: string; texts: string[] }>(
    sql`select ${jsonb(value)} as value, ${"x\u0000y"}::text as text, ${["a\u0000", "b\ud800"]}::text[] as texts`,
  );
  expect(row).toEqual({
    value: { ...value, nul: "a\ufffdb", half: "a\ufffdb" },
    text: "x\ufffdy",
    texts: ["a\ufffd", "b\ufffd"],
  });
});

test("vectors are available", async () => {
  await db.query(sql`create extension if not exists vector`);
  const [row] = await db.query<{ d: number }>(
    sql`select '[1,0]'::vector <=> '[0,1]'::vector as d`,
  );
  expect(row?.d).toBe(1);
});

test.runIf(process.env["DATABASE_URL"])(
  "a server's statement beyond its time is too slow, and the server is there",
  async () => {
    const server = await testServerUrl();
    const options = { url: server?.url, dataDir: "", log: silentLog() };
    const own = await openDatabase({ ...options, statementTimeoutMs: 300 });
    await expect(own.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({
      code: "database_too_slow",
    });
    expect(await own.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await own[Symbol.asyncDispose]();
    await server?.drop();
  },
);

test("an embedded statement that never ends is stopped, and committed data is there after the restart", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-test-"));
  const own = await openDatabase({ dataDir, log: silentLog(), statementTimeoutMs: 1_500 });
  await own.query(sql`create table kept (n int)`);
  await own.query(sql`insert into kept values (1)`);
  const onGap = vi.fn();
  await own.listen("changes", () => {}, onGap);
  expect(onGap).not.toHaveBeenCalled();
  await expect(
    own.query(sql`select count(*) from generate_series(1, 100000000000)`),
  ).rejects.toMatchObject({
    code: "database_too_slow",
  });
  expect(await own.query(sql`select n from kept`)).toEqual([{ n: 1 }]);
  // whoever listens knows that it may have missed something
  expect(onGap).toHaveBeenCalled();
  // this one kills PGlite itself
  await own.query(sql`copy kept from stdin`).catch(() => {});
  await vi.waitFor(
    async () => expect(await own.query(sql`select n from kept`)).toEqual([{ n: 1 }]),
    90_000,
  );
  await expect(openDatabase({ dataDir, log: silentLog() })).rejects.toThrow(
    /already uses the data folder/,
  );
  await own[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

test("a start that ended while it made its database does not hinder the next", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-half-"));
  try {
    await mkdir(join(dataDir, "database.new"));
    await writeFile(join(dataDir, "database.new/PG_VERSION"), "half");
    const made = await openDatabase({ dataDir, log: silentLog() });
    expect(await made.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await made[Symbol.asyncDispose]();
    expect((await readdir(dataDir)).filter((name) => name.endsWith(".new"))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a folder that holds something else is left alone, with the reason", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-other-"));
  try {
    await mkdir(join(dataDir, "database"));
    await writeFile(join(dataDir, "database/letter.txt"), "mine");
    const opening = openDatabase({ dataDir, log: silentLog() });
    await expect(opening).rejects.toThrow("must be absent or empty");
    expect(await readdir(dataDir)).toContain("database");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
