import { Connection, type Publisher } from "rabbitmq-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silentLog } from "../../telemetry/log.ts";
import { openQueue } from "../open-queue.ts";
import type { DeadLetter, Handler, Queue } from "../queue.ts";
import { MAX_MESSAGE_BYTES } from "../message.ts";

const url = process.env["AMQP_URL"] ?? "";
const SECRET = "secret of the services";
const ALL = { limit: 10, offset: 0 };
const WAIT = { timeout: 90_000, interval: 100 };

describe.runIf(url)("another system at the broker", () => {
  let queue: Queue;
  let broker: Connection;
  let publisher: Publisher;
  beforeAll(async () => {
    queue = await openQueue({ amqpUrl: url, serviceSecret: SECRET, log: silentLog() });
    broker = new Connection(url);
    publisher = broker.createPublisher({ confirm: true });
  });
  afterAll(async () => {
    await queue[Symbol.asyncDispose]();
    await publisher.close();
    await broker.close();
  });

  const newName = () =>
    `test_others_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const failing = (name: string, handler: Handler) =>
    queue.consume(name, handler, { tries: 3, backoffMs: 40 });
  const died = (name: string, count: number) =>
    vi.waitFor(async (): Promise<DeadLetter[]> => {
      const { items } = await queue.deadLetters(name, ALL);
      expect(items).toHaveLength(count);
      return items;
    }, WAIT);

  test("has no message that counts as ours, at no delivery and not after a retry", async () => {
    const name = newName();
    const seen: unknown[] = [];
    let isBroken = true;
    await using _ = await failing(name, async ({ data, isOwn, attempt }) => {
      seen.push([data, isOwn, attempt]);
      if (isBroken) throw new Error("not yet");
    });
    await queue.publish(name, { from: "us", n: 1.5, "10": ["ß", "\u{1F600}", null] });
    await publisher.send({ routingKey: name }, { pattern: name, data: { from: "them" } });
    const items = await died(name, 2);
    const ours = { from: "us", n: 1.5, "10": ["ß", "\u{1F600}", null] };
    for (const attempt of [1, 2, 3]) {
      expect(seen).toContainEqual([ours, true, attempt]);
      expect(seen).toContainEqual([{ from: "them" }, false, attempt]);
    }
    isBroken = false;
    seen.length = 0;
    expect(
      await queue.redrive(
        name,
        items.map(({ id }) => id),
      ),
    ).toBe(2);
    await vi.waitFor(() => expect(seen).toHaveLength(2), WAIT);
    expect(seen).toContainEqual([ours, true, 1]);
    expect(seen).toContainEqual([{ from: "them" }, false, 1]);
  });

  test("cannot have a message retried without an end", async () => {
    const name = newName();
    const seen: number[] = [];
    await using _ = await failing(name, async ({ attempt }) => {
      seen.push(attempt);
      throw new Error("it fails");
    });
    const headers = { "x-tries": -1_000_000 };
    await publisher.send({ routingKey: name, headers }, { data: 1 });
    expect(await died(name, 1)).toMatchObject([{ data: 1, tries: 3 }]);
    expect(seen).toEqual([1, 2, 3]);
  });

  test("cannot keep dead letters from being read and delivered again", async () => {
    const name = newName();
    await queue.count(name);
    const routingKey = `${name}.dlq`;
    const large = { data: "x".repeat(MAX_MESSAGE_BYTES) };
    await publisher.send({ routingKey, timestamp: 9e15 }, large);
    await publisher.send({ routingKey, messageId: "ours" }, { data: 2 });
    const items = await died(name, 2);
    expect(items.map(({ data }) => data)).toEqual([null, 2]);
    expect(await queue.redrive(name)).toBe(2);
    const seen: unknown[] = [];
    await using _ = await queue.consume(name, async ({ data }) => void seen.push(data));
    await vi.waitFor(() => expect(seen).toEqual([null, 2]), WAIT);
  });

  test("has each dead letter without an id delivered again or deleted alone, also equal ones", async () => {
    const name = newName();
    await queue.count(name);
    for (const data of [1, 2, 2, 3])
      await publisher.send({ routingKey: `${name}.dlq` }, { data });
    const items = await died(name, 4);
    const idsOf = (data: number) =>
      items.filter((item) => item.data === data).map(({ id }) => id);
    const [one = "", two = "", three = ""] = [1, 2, 3].map((data) => idsOf(data)[0]);
    expect(await queue.discard(name, ["unknown"])).toBe(0);
    expect(await queue.discard(name, [one])).toBe(1);
    expect(await queue.redrive(name, [two])).toBe(1);
    expect((await died(name, 2)).map(({ data }) => data).toSorted()).toEqual([2, 3]);
    expect(await queue.discard(name, [three])).toBe(1);
    const seen: unknown[] = [];
    await using _ = await queue.consume(name, async ({ data }) => void seen.push(data));
    await vi.waitFor(() => expect(seen).toEqual([2]), WAIT);
    expect(await died(name, 1)).toMatchObject([{ data: 2 }]);
  });

  test("cannot have messages lost by deleting the queues that they go to next", async () => {
    const name = newName();
    const seen: unknown[] = [];
    let isFirst = true;
    await using _ = await failing(name, async ({ data, attempt }) => {
      seen.push([data, attempt]);
      if (isFirst) {
        isFirst = false;
        throw new Error("so that the queue to wait in is there");
      }
      // whichever of them a retry of this length waits in
      for (const ms of [32, 64, 128, 256])
        await broker.queueDelete({ queue: `${name}.wait.${ms}` });
      await broker.queueDelete({ queue: `${name}.dlq` });
      throw new Error("it fails");
    });
    await queue.publish(name, "kept");
    expect(await died(name, 1)).toMatchObject([{ data: "kept", tries: 3 }]);
    expect(seen).toEqual([
      ["kept", 1],
      ["kept", 2],
      ["kept", 3],
    ]);
  });

  test("may declare a queue first in its own way, and find one that it asserts plainly", async () => {
    const theirs = newName();
    await broker.queueDeclare({ queue: theirs, durable: true });
    const seen: unknown[] = [];
    const keep: Handler = async ({ data }) => void seen.push(data);
    await using _ = await queue.consume(theirs, keep);
    await queue.publish(theirs, "ours");
    await publisher.send({ routingKey: theirs }, { pattern: theirs, data: "theirs" });
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(["ours", "theirs"]), WAIT);
    await using plain = await openQueue({
      amqpUrl: url,
      serviceSecret: SECRET,
      queueKind: "plain",
      log: silentLog(),
    });
    const asserted = newName();
    await plain.publish(asserted, "first");
    const found = await broker.queueDeclare({ queue: asserted, durable: true });
    expect(found.messageCount).toBe(1);
  });
});
