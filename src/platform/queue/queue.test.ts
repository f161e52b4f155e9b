import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import type { Database } from "../db/database.ts";
import { openQueue } from "./open-queue.ts";
import { Poison, type Queue } from "./queue.ts";
import { held } from "../../../test/support/held.ts";

const drivers = [
  { driver: "database", amqpUrl: undefined },
  ...(process.env["AMQP_URL"]
    ? [{ driver: "rabbitmq", amqpUrl: process.env["AMQP_URL"] }]
    : []),
];

for (const { driver, amqpUrl } of drivers) {
  let db: Database;
  let queue: Queue;
  const name = (purpose: string) =>
    `test_${purpose}_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  beforeAll(async () => {
    db = await testDatabase();
    queue = await openQueue({
      db,
      amqpUrl,
      serviceSecret: "secret of the test",
      log: silentLog(),
    });
  });
  afterAll(async () => {
    await queue[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  });

  test(`${driver}: every message is handled once, whatever the prefetch`, async () => {
    const seen: unknown[] = [];
    const work = name("all");
    await Promise.all(Array.from({ length: 40 }, (_, n) => queue.publish(work, { n })));
    await using _ = await queue.consume(work, async ({ data }) => void seen.push(data), {
      prefetch: 7,
    });
    await vi.waitFor(() => expect(seen).toHaveLength(40), 90_000);
    expect(new Set(seen.map((data) => JSON.stringify(data))).size).toBe(40);
  });

  test(`${driver}: a failed message is delivered again with its id, then becomes a dead letter, which can be delivered again`, async () => {
    const attempts: [string, number][] = [];
    let healthy = false;
    const work = name("retry");
    await using _ = await queue.consume(
      work,
      async ({ id, attempt }) => {
        attempts.push([id, attempt]);
        if (!healthy) throw new Error("not yet");
      },
      { tries: 3, backoffMs: 50 },
    );
    await queue.publish(work, { job: 1 }, { id: "job-1" });
    await vi.waitFor(
      async () =>
        expect((await queue.deadLetters(work, { limit: 10, offset: 0 })).total).toBe(1),
      90_000,
    );
    expect(attempts).toEqual([
      ["job-1", 1],
      ["job-1", 2],
      ["job-1", 3],
    ]);
    const { items } = await queue.deadLetters(work, { limit: 10, offset: 0 });
    expect(items).toMatchObject([
      { id: "job-1", data: { job: 1 }, error: "not yet", tries: 3 },
    ]);
    healthy = true;
    await vi.waitFor(async () => expect(await queue.redrive(work)).toBe(1), 90_000);
    await vi.waitFor(() => expect(attempts).toHaveLength(4), 90_000);
  });

  test(`${driver}: dead letters are counted, and deleted by id or all`, async () => {
    const work = name("discard");
    const refuse = async () => {
      throw new Poison("message_invalid", "no");
    };
    await using _ = await queue.consume(work, refuse);
    for (const id of ["a", "b", "c"]) await queue.publish(work, {}, { id });
    const dead = async () => (await queue.count(work)).deadLetters;
    await vi.waitFor(async () => expect(await dead()).toBe(3), 90_000);
    expect(await queue.discard(work, ["b", "unknown"])).toBe(1);
    // a broker takes back what was only looked at a moment later
    await vi.waitFor(async () => expect(await dead()).toBe(2), 90_000);
    await vi.waitFor(
      async () => expect(await queue.discard(work)).toBeGreaterThan(0),
      90_000,
    );
    await vi.waitFor(
      async () => expect(await queue.count(work)).toEqual({ waiting: 0, deadLetters: 0 }),
      90_000,
    );
  });

  test(`${driver}: poison is not delivered twice`, async () => {
    let attempts = 0;
    const work = name("poison");
    await using _ = await queue.consume(work, async () => {
      attempts += 1;
      throw new Poison("message_invalid", "cannot be read", { params: { path: "id" } });
    });
    await queue.publish(work, {});
    await vi.waitFor(
      async () =>
        expect((await queue.deadLetters(work, { limit: 10, offset: 0 })).total).toBe(1),
      90_000,
    );
    expect(attempts).toBe(1);
    const { items } = await queue.deadLetters(work, { limit: 10, offset: 0 });
    const failure = { code: "message_invalid", params: { path: "id" } };
    expect(items).toMatchObject([{ error: "cannot be read", ...failure }]);
  });

  test(`${driver}: ten poison messages of a thousand go to the dead letters and delay no other`, async () => {
    const done = new Set<number>();
    const work = name("among");
    await using _ = await queue.consume(
      work,
      async ({ data }) => {
        const { n } = data as { n: number };
        if (n % 100 === 7) throw new Poison("message_invalid", `not to be read: ${n}`);
        done.add(n);
      },
      { prefetch: 50 },
    );
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => queue.publish(work, { n })));
    await vi.waitFor(() => expect(done.size).toBe(990), 90_000);
    await vi.waitFor(
      async () =>
        expect((await queue.deadLetters(work, { limit: 100, offset: 0 })).total).toBe(10),
      90_000,
    );
    held("poison", 1_000);
  }, 60_000);

  test(`${driver}: a message that is too large or too deep is refused, and nothing is published`, async () => {
    const work = name("large");
    const deep: unknown = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
    const refusal = { code: "message_too_large" };
    await expect(queue.publish(work, "x".repeat(2 ** 20))).rejects.toMatchObject(refusal);
    await expect(queue.publish(work, deep)).rejects.toMatchObject(refusal);
    const seen: unknown[] = [];
    await using _ = await queue.consume(work, async ({ data }) => void seen.push(data));
    await queue.publish(work, "fits");
    await vi.waitFor(() => expect(seen).toEqual(["fits"]), 90_000);
  });

  test.runIf(!amqpUrl)(
    `${driver}: a message whose worker ended during every attempt is not handled again`,
    async () => {
      const work = name("killer");
      await Promise.all([1, 2].map((n) => queue.publish(work, { n }, { id: `job-${n}` })));
      await db.query(
        sql`update queue.messages set tries = 5 where queue = ${work} and id = 'job-1'`,
      );
      const handled: string[] = [];
      await using _ = await queue.consume(work, async ({ id }) => void handled.push(id));
      await vi.waitFor(async () => {
        const { items } = await queue.deadLetters(work, { limit: 10, offset: 0 });
        expect(items).toMatchObject([
          {
            id: "job-1",
            error:
              "The worker ended during every attempt. Read its log for the reason, then retry.",
          },
        ]);
        expect(handled).toEqual(["job-2"]);
      }, 90_000);
      held("poison", 2);
    },
  );

  test(`${driver}: a message published in a transaction is delivered after its commit, and never after a rollback`, async () => {
    const seen: unknown[] = [];
    const work = name("tx");
    await using _ = await queue.consume(work, async ({ data }) => void seen.push(data));
    await db
      .tx(async () => {
        await queue.publish(work, "rolled back");
        throw new Error("no");
      })
      .catch(() => {});
    await db.tx(() => queue.publish(work, "committed"));
    await vi.waitFor(() => expect(seen).toEqual(["committed"]), 90_000);
    held("outbox");
  });
}
