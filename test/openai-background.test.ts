import OpenAI from "openai";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** Responses whose client does not wait, by the unchanged official client. */
let parlance: TestServer;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer(settingsOf(provider));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const model = "openai/gpt-test";

async function newClient(): Promise<{ client: OpenAI; userId: string }> {
  const { token, id } = await newPerson(parlance, `person-${crypto.randomUUID()}`);
  const made = await parlance.request("/api/v1/auth/api-keys", {
    token,
    body: { name: "test", scopes: ["conversation:create", "model:read"] },
  });
  const { key: apiKey } = (await made.json()) as { key: string };
  const options = { baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 };
  return { client: new OpenAI(options), userId: id };
}

const WORDS = Array.from({ length: 30 }, (_, at) => `${at} `);
const slowly = () => provider.answer(() => ({ text: WORDS, delayMs: 30 }));
const never = () =>
  provider.answer(() => ({ text: ["a", "b"], fault: "stall", faultAfter: 1 }));
const ended = (client: OpenAI, id: string) =>
  vi.waitFor(async () => {
    const response = await client.responses.retrieve(id);
    expect(response.status).not.toBe("in_progress");
    return response;
  }, 30_000);

test("a response in the background is there later, and can be continued", async () => {
  const { client } = await newClient();
  slowly();
  const begun = await client.responses.create({ model, input: "Count.", background: true });
  expect(begun).toMatchObject({ status: "in_progress", background: true, output: [] });
  const early = client.responses.create({
    model,
    input: "On.",
    previous_response_id: begun.id,
  });
  await expect(early).rejects.toMatchObject({ code: "previous_response_not_found" });
  const done = await ended(client, begun.id);
  expect(done.status).toBe("completed");
  expect(done.output_text).toBe(WORDS.join(""));
  const next = await client.responses.create({
    model,
    input: "On.",
    previous_response_id: begun.id,
  });
  expect(next.status).toBe("completed");
  expect(provider.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
  ]);
});

test("its events are followed from a number on, also by another client after the first left", async () => {
  const { client } = await newClient();
  slowly();
  const stream = await client.responses.create({
    model,
    input: "Count.",
    background: true,
    stream: true,
  });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  let id = "";
  for await (const event of stream) {
    events.push(event);
    if (event.type === "response.created") id = event.response.id;
    if (events.length === 8) break;
  }
  const rest = await client.responses.retrieve(id, { stream: true, starting_after: 7 });
  for await (const event of rest) events.push(event);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
    events.map((_, place) => place),
  );
  const last = events.at(-1);
  expect(last?.type).toBe("response.completed");
  const text = events.flatMap((one) =>
    one.type === "response.output_text.delta" ? [one.delta] : [],
  );
  expect(text.join("")).toBe(WORDS.join(""));
  const again = await client.responses.retrieve(id, { stream: true });
  let count = 0;
  for await (const _ of again) count += 1;
  expect(count).toBe(events.length);
});

test("who cancels one ends it at the provider, and who is not its owner finds none", async () => {
  const [{ client }, other] = await Promise.all([newClient(), newClient()]);
  never();
  const { id } = await client.responses.create({ model, input: "Wait.", background: true });
  await expect(other.client.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  await expect(other.client.responses.retrieve(id, { stream: true })).rejects.toMatchObject(
    { status: 404 },
  );
  const before = provider.aborted;
  await vi.waitFor(() => expect(provider.requests.at(-1)?.messages).toHaveLength(1));
  expect((await client.responses.cancel(id)).status).toBe("cancelled");
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 10_000);
  expect((await client.responses.cancel(id)).status).toBe("cancelled");
  expect(await client.responses.retrieve(id)).toMatchObject({
    status: "cancelled",
    output: [],
  });
  const events = await client.responses.retrieve(id, { stream: true });
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  expect(types).not.toContain("response.completed");
});

test("a failure is kept, also of the process that made it", async () => {
  const { client } = await newClient();
  provider.answer(() => ({ status: 400 }));
  const failed = await client.responses.create({ model, input: "Fail.", background: true });
  expect(await ended(client, failed.id)).toMatchObject({ status: "failed" });
  never();
  const lost = await client.responses.create({ model, input: "Wait.", background: true });
  await parlance.restart();
  const key = client.apiKey;
  const after = new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey: key, maxRetries: 0 });
  expect(await after.responses.retrieve(lost.id)).toMatchObject({ status: "failed" });
});

test("a user has a bounded number at once, and a response that is not stored has no background", async () => {
  const { client } = await newClient();
  never();
  const ask = () => client.responses.create({ model, input: "Wait.", background: true });
  const made = [];
  for (let at = 0; at < 10; at += 1) made.push(await ask());
  await expect(ask()).rejects.toMatchObject({
    status: 429,
    code: "too_many_background_responses",
  });
  for (const { id } of made) await client.responses.delete(id);
  const { id } = await ask();
  await client.responses.cancel(id);
  const unkept = { model, input: "Wait.", background: true, store: false };
  await expect(client.responses.create(unkept)).rejects.toMatchObject({ status: 400 });
  provider.answer(() => ({ text: ["Hello"] }));
  const plain = await client.responses.create({ model, input: "Hello" });
  await expect(client.responses.cancel(plain.id)).rejects.toMatchObject({
    code: "response_not_in_background",
  });
});

test("a user who asks for more in one moment gets no more", async () => {
  const { client } = await newClient();
  never();
  const ask = () => client.responses.create({ model, input: "Wait.", background: true });
  const asked = await Promise.allSettled(Array.from({ length: 15 }, ask));
  const made = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(made.length).toBeLessThanOrEqual(10);
  expect(made.length).toBeGreaterThan(0);
  for (const { id } of made) await client.responses.delete(id);
});

test("one whose user is disabled ends", async () => {
  const { client, userId } = await newClient();
  never();
  await client.responses.create({ model, input: "Wait.", background: true });
  const before = provider.aborted;
  const disabled = await parlance.request(`/api/v1/users/${userId}`, {
    method: "PATCH",
    body: { disabled: true },
  });
  expect(disabled.ok).toBe(true);
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 20_000);
});
