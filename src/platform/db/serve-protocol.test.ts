import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageReader, serveProtocol } from "./serve-protocol.ts";

describe("messages are found whole", () => {
  const typed = fc
    .tuple(fc.constantFrom(..."PBDESQ"), fc.uint8Array({ maxLength: 300 }))
    .map(([type, body]) => message(type, body));
  const startup = fc.uint8Array({ minLength: 4, maxLength: 60 }).map((body) => {
    const bytes = Buffer.alloc(4 + body.length);
    bytes.writeInt32BE(bytes.length);
    bytes.set(body, 4);
    return bytes;
  });

  test("however the stream is cut", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        startup,
        fc.array(typed, { maxLength: 12 }),
        cuts,
        (first, others, sizes) => {
          const reader = new MessageReader();
          const stream = Buffer.concat([first, ...others]);
          const groups: Uint8Array[] = [];
          let at = 0;
          for (const size of [...sizes, stream.length]) {
            const chunk = stream.subarray(at, at + size);
            at += chunk.length;
            if (chunk.length > 0) groups.push(...reader.read(chunk).messages);
          }
          expect(groups[0]).toEqual(first);
          const whole = groups.slice(1).flatMap((group) => split(Buffer.from(group)));
          expect(whole).toEqual(others);
        },
      ),
    );
  });

  test("and nothing after the message that ends the connection", () => {
    const reader = new MessageReader();
    reader.read(Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]));
    const sync = message("S", new Uint8Array());
    const found = reader.read(Buffer.concat([sync, message("X", new Uint8Array()), sync]));
    expect(found).toEqual({ messages: [sync], isLast: true });
  });
});

describe("the embedded database through its socket", () => {
  let folder: string;
  let database: PGlite;
  const failures: unknown[] = [];
  let server: ReturnType<typeof serveProtocol>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "protocol-"));
    database = await PGlite.create();
    server = serveProtocol(database, (error) => failures.push(error));
    await new Promise<void>((resolve) =>
      server.listen(join(folder, ".s.PGSQL.5432"), resolve),
    );
  });
  afterAll(async () => {
    server.close();
    await database.close();
    await rm(folder, { recursive: true });
    expect(failures).toEqual([]);
  });
  const connect = async () => {
    const client = new pg.Client({ host: folder, user: "postgres", database: "postgres" });
    client.on("error", () => {}); // some tests cut it
    await client.connect();
    return client;
  };

  test("a statement that fails leaves those before and after it as they are", async () => {
    const client = await connect();
    expect((await client.query("select $1::int as n", [1])).rows).toEqual([{ n: 1 }]);
    await expect(client.query("select $1::int / 0 as n", [1])).rejects.toThrow("division");
    const named = { name: "named", text: "select $1::text as n", values: ["after"] };
    expect((await client.query(named)).rows).toEqual([{ n: "after" }]);
    await client.end();
  });

  test("megabytes pass in both directions", async () => {
    const client = await connect();
    const text = "ä".repeat(6_000_000);
    const { rows } = await client.query("select $1::text as t", [text]);
    expect(rows[0].t === text).toBe(true);
    await client.end();
  });

  test("a connection that is cut in a transaction is rolled back before the next is served", async () => {
    const cut = await connect();
    await cut.query("create table kept (n int)");
    await cut.query("begin");
    await cut.query("insert into kept values (1)");
    const next = connect();
    (
      cut as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
    const client = await next;
    const { rows } = await client.query("select count(*)::int as n from kept");
    expect(rows).toEqual([{ n: 0 }]);
    await client.end();
  });
});

function message(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, "latin1");
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.set(body, 5);
  return bytes;
}

function split(group: Buffer): Buffer[] {
  if (group.length === 0) return [];
  const length = 1 + group.readInt32BE(1);
  return [group.subarray(0, length), ...split(group.subarray(length))];
}
