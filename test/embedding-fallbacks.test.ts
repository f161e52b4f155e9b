import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hashWords } from "../src/services/embedding/models/hashed-words.ts";
import { askBelow } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** An embedding model at two providers, of which one fails. */

const DIMENSIONS = 64;
let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");

/** Which providers were asked, by their keys, and for which models. */
const asked: string[] = [];
/** The status with which a provider answers. */
const statuses = new Map<string, number>();
const models = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    const { model, input } = JSON.parse(text) as { model: string; input: string[] };
    const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
    asked.push(`${key} ${model} ${input.join("|")}`);
    const status = statuses.get(key) ?? 200;
    if (status !== 200) return void response.writeHead(status).end("{}");
    const data = input.map((one, index) => ({
      index,
      embedding: hashWords(one, DIMENSIONS),
    }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data }));
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => models.listen(0, "127.0.0.1", done));
  const { port } = models.address() as AddressInfo; // it listens on a port
  parlance = await startTestServer();
  for (const name of ["one", "two"]) {
    const config = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: name };
    const body = { name, kind: "openai-compatible", config };
    await ask("POST", "/model-providers", { body });
  }
  for (const [id, dimensions, prefix] of [
    ["words", DIMENSIONS, "ask: "],
    ["others", DIMENSIONS, undefined],
    ["short", 32, undefined],
  ] as const) {
    const body = {
      id,
      name: id,
      kind: "embedding",
      dimensions,
      ...(prefix && { queryPrefix: prefix, passagePrefix: "" }),
    };
    expect((await ask("POST", "/models", { body })).status).toBe(201);
  }
  await offer("one/words", "words", "words");
  await offer("two/words", "words", "words");
  await offer("two/others", "others", "others");
  await offer("two/short", "short", "words-short");
  const choice = { source: "catalogue", availableModelId: "one/words" };
  expect((await ask("PUT", "/embed/model", { body: choice })).status).toBe(200);
  await vi.waitFor(
    async () => expect((await embed()).body).toMatchObject({ model: "words" }),
    { timeout: 60_000, interval: 200 },
  );
}, 300_000);
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  models.closeAllConnections();
  models.close();
});
beforeEach(async () => {
  statuses.clear();
  await name("two/words");
  asked.length = 0;
});

async function offer(id: string, modelId: string, providerModelId: string) {
  const providerName = id.split("/")[0];
  const body = { id, modelId, providerName, providerModelId };
  expect((await ask("POST", "/available-models", { body })).status).toBe(201);
}
const name = (...fallbacks: string[]) =>
  ask("PATCH", "/available-models/one%2Fwords", {
    body: { fallbacks, loadSharing: null },
  });
const embed = (text = "tea") =>
  ask("POST", "/embed/single", { body: { text, inputType: "query" } });
/** A change of the catalogue reaches the service by an announcement. */
const untilEmbedded = (expected: string[]) =>
  vi.waitFor(
    async () => {
      asked.length = 0;
      expect((await embed()).status).toBe(200);
      expect(asked).toEqual(expected);
    },
    { timeout: 30_000, interval: 100 },
  );

test("the same model at another provider embeds in its place, in the same way, and it rests", async () => {
  const before = (await embed()).body["embedding"];
  expect(asked).toEqual(["one words ask: tea"]);
  statuses.set("one", 401);
  const replaced = await embed();
  expect(replaced.body["embedding"]).toEqual(before);
  // with the prefix of the one that was asked
  expect(asked.at(-1)).toBe("two words ask: tea");
  asked.length = 0;
  await embed();
  expect(asked).toEqual(["two words ask: tea"]);
});

test("where none embeds, the failure is that of the model that was asked", async () => {
  statuses.set("one", 401).set("two", 503);
  const failed = await embed();
  expect([failed.status, failed.body.code]).toEqual([502, "embedding_refused"]);
});

test("another model, or one of other dimensions, is no fallback, neither when it is named nor later", async () => {
  for (const other of ["two/others", "two/short", "parlance-offline"]) {
    const refused = await name(other);
    expect([other, refused.status, refused.body.code]).toEqual([
      other,
      400,
      "fallback_unsuitable",
    ]);
  }
  // the entry becomes another model after it was named
  const rename = (providerModelId: string) =>
    ask("PATCH", "/available-models/two%2Fwords", { body: { providerModelId } });
  expect((await rename("words-2")).status).toBe(200);
  statuses.set("one", 401);
  await vi.waitFor(
    async () => {
      asked.length = 0;
      expect((await embed()).body.code).toBe("embedding_refused");
      expect(asked.some((one) => one.startsWith("two"))).toBe(false);
    },
    { timeout: 30_000, interval: 100 },
  );
  expect((await rename("words")).status).toBe(200);
});

test("endpoints of the model share its texts by weight", async () => {
  const loadSharing = { by: "weight", weight: 1, with: [{ id: "two/words", weight: 1 }] };
  await ask("PATCH", "/available-models/one%2Fwords", { body: { loadSharing } });
  const askers = new Set<string | undefined>();
  await vi.waitFor(
    async () => {
      asked.length = 0;
      expect((await embed()).status).toBe(200);
      askers.add(asked[0]?.split(" ")[0]);
      expect(askers).toEqual(new Set(["one", "two"]));
    },
    { timeout: 30_000, interval: 20 },
  );
  await name();
  statuses.set("one", 401);
  await vi.waitFor(
    async () => expect((await embed()).body.code).toBe("embedding_refused"),
    { timeout: 30_000, interval: 100 },
  );
  statuses.clear();
  await untilEmbedded(["one words ask: tea"]);
});
