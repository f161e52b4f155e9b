import { createHmac, hkdfSync } from "node:crypto";
import { Connection, type Publisher } from "rabbitmq-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

const { AMQP_URL = "" } = process.env;
const NAMESPACE = `forged-${process.pid}`;
const SERVICE_SECRET = "service-secret-of-the-test";
const WAIT = { timeout: 90_000, interval: 100 };

/** Whoever may publish at the broker, against a server that uses it. */
describe.runIf(AMQP_URL)("forged messages at RabbitMQ", () => {
  let parlance: TestServer;
  let broker: Connection;
  let publisher: Publisher;
  beforeAll(async () => {
    parlance = await startTestServer({ AMQP_URL, NAMESPACE, SERVICE_SECRET });
    broker = new Connection(AMQP_URL);
    publisher = broker.createPublisher({ confirm: true });
  });
  afterAll(async () => {
    await publisher.close();
    await broker.close();
    await parlance[Symbol.asyncDispose]();
  });

  const send = (queue: string, data: unknown, envelope: object = {}) =>
    publisher.send(
      { routingKey: `${NAMESPACE}.${queue}`, ...envelope },
      { pattern: queue, data },
    );
  const refusal = (queue: string) =>
    vi.waitFor(async () => {
      const found = await parlance.request(`/api/v1/queues/${queue}/dead-letters`);
      const { items } = (await found.json()) as { items: { code: string }[] };
      expect(items).toHaveLength(1);
      return items[0]?.code;
    }, WAIT);
  const me = async () =>
    ((await (await parlance.request("/api/v1/auth/me")).json()) as { id: string }).id;
  const talk = async () => {
    const body = { content: "remember me", stream: false };
    const answer = await parlance.request("/api/v1/conversation", { body });
    return ((await answer.json()) as { conversationId: string }).conversationId;
  };
  const isThere = async (conversation: string) => {
    const path = `/api/v1/conversation/multiple?ids=${conversation}`;
    return (await (await parlance.request(path)).text()).includes("remember me");
  };

  test("delete and give away nothing of a user who exists", async () => {
    const conversation = await talk();
    await send("user_deletions_core", { userId: await me(), transferTo: null });
    expect(await refusal("user_deletions_core")).toBe("message_denied");
    await send("user_deletions_documents", { userId: await me(), transferTo: "mallory" });
    expect(await refusal("user_deletions_documents")).toBe("message_denied");
    expect(await isThere(conversation)).toBe(true);
  });

  test("delete no file, stop no job and replace no passages", async () => {
    const id = "00000000-0000-7000-8000-00000000000a";
    await send("document_removals", { keys: [`documents/${id}`] });
    await send("parsing_stops", { jobId: id, forget: true });
    await send("embedding_jobs", {
      jobId: id,
      documentId: id,
      fileName: "a",
      text: "false",
    });
    for (const queue of ["document_removals", "parsing_stops", "embedding_jobs"])
      expect(await refusal(queue)).toBe("message_unsigned");
  });

  test("have no effect, and those that another system signs as the documentation says have one", async () => {
    const queue = "parsing_stops";
    const data = { jobId: "00000000-0000-7000-8000-00000000000b" };
    const key = hkdfSync("sha256", SERVICE_SECRET, "", "parlance messages", 32);
    const signed = `${NAMESPACE}.${queue}\n42\n${JSON.stringify({ pattern: queue, data })}`;
    const mac = createHmac("sha256", Buffer.from(key)).update(signed).digest("base64url");
    const before = await deadLettersOf(queue);
    await send(queue, data, { messageId: "42", headers: { "x-signature": `v1=${mac}` } });
    await vi.waitFor(async () => expect((await countOf(queue)).waiting).toBe(0), WAIT);
    expect(await deadLettersOf(queue)).toBe(before);
  });

  const countOf = async (name: string) => {
    const answer = await parlance.request("/api/v1/queues");
    const { queues } = (await answer.json()) as {
      queues: { name: string; waiting: number; deadLetters: number }[];
    };
    return queues.find((item) => item.name === name) ?? { waiting: -1, deadLetters: -1 };
  };
  const deadLettersOf = async (name: string) => (await countOf(name)).deadLetters;
});
