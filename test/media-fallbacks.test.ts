import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import {
  answerAsOpenAi,
  type FakeMediaProvider,
  PIXEL,
  startFakeMediaProvider,
  type TaskRequest,
} from "./support/fake-media-provider.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** Images, sound, moderation and continued texts by a model that fails, and by its fallbacks. */

const COMPLETION_SECRET = "the-secret-of-the-completion-service";
const SERVICE_SECRET = "the-secret-of-the-services";

let parlance: TestServer;
let provider: FakeMediaProvider;
let bob: { id: string; token: string };
beforeAll(async () => {
  provider = await startFakeMediaProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "first-key,second-key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS:
      "base-model,other-base,gpt-image-1,gpt-image-1-mini,dall-e-3,tts-1,gpt-4o-mini-tts," +
      "whisper-1,gpt-4o-transcribe,omni-moderation-latest,text-moderation-latest",
    COMPLETION_SERVICE_SECRET: COMPLETION_SECRET,
    SERVICE_SECRET,
    COMPLETION_FALLBACK_AFTER: "1500",
  });
  bob = await newPerson(parlance, "bob");
}, 120_000);
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

type Make = (request: TaskRequest, to: ServerResponse) => void;
const ask = askBelow(() => parlance, "");
const entry = (id: string) => `/api/v1/available-models/openai%2F${id}`;
/** Naming the fallbacks again ends all rests. */
const name = (id: string, ...fallbacks: string[]) =>
  ask("PATCH", entry(id), {
    body: { fallbacks: fallbacks.map((one) => `openai/${one}`) },
  });
const asked = () => provider.requests.map(({ body }) => body["model"]);
const refuses =
  (status: number, headers = {}): Make =>
  (_, to) =>
    void to.writeHead(status, headers).end('{"error":{"message":"no"}}');
const failing = (model: string, fails: Make = refuses(503)) =>
  provider.answer((request, to) => {
    if (request.body["model"] === model) return fails(request, to);
    if (!request.path.endsWith("/completions")) return answerAsOpenAi(request, to);
    const choices = [{ index: 0, text: " there", finish_reason: "stop" }];
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    to.writeHead(200, { "content-type": "application/json" });
    to.end(JSON.stringify({ id: "c", choices, usage }));
  });
const form = (fields: Record<string, string>, file: [string, string, Buffer]) => {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append(file[0], new Blob([new Uint8Array(file[2])]), file[1]);
  return body;
};
const post = (path: string, body: object, token = bob.token) =>
  fetch(parlance.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(!(body instanceof FormData) && { "content-type": "application/json" }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
const spoken = (model: string) =>
  form({ model }, ["file", "talk.wav", Buffer.from("RIFF-sound")]);
const picture = Buffer.from(PIXEL, "base64");

beforeEach(() => {
  provider.requests.length = 0;
});

interface Way {
  path: string;
  models: [asked: string, other: string];
  body: (model: string) => object;
  holds: string;
}

const WAYS: Record<string, Way> = {
  images: {
    path: "/v1/images/generations",
    models: ["gpt-image-1", "gpt-image-1-mini"],
    body: (model) => ({ model, prompt: "A boat" }),
    holds: PIXEL,
  },
  edits: {
    path: "/v1/images/edits",
    models: ["gpt-image-1", "gpt-image-1-mini"],
    body: (model) => form({ model, prompt: "Bluer" }, ["image", "boat.png", picture]),
    holds: PIXEL,
  },
  "images in events": {
    path: "/v1/images/generations",
    models: ["gpt-image-1", "gpt-image-1-mini"],
    body: (model) => ({ model, prompt: "A boat", stream: true }),
    holds: "image_generation.completed",
  },
  speech: {
    path: "/v1/audio/speech",
    models: ["tts-1", "gpt-4o-mini-tts"],
    body: (model) => ({ model, voice: "alloy", input: "Hello" }),
    holds: "ID3-sound",
  },
  transcription: {
    path: "/v1/audio/transcriptions",
    models: ["whisper-1", "gpt-4o-transcribe"],
    body: spoken,
    holds: "Hello.",
  },
  moderation: {
    path: "/v1/moderations",
    models: ["omni-moderation-latest", "text-moderation-latest"],
    body: (model) => ({ model, input: "Go away" }),
    holds: "violence",
  },
  "continued texts": {
    path: "/v1/completions",
    models: ["base-model", "other-base"],
    body: (model) => ({ model, prompt: "Hello" }),
    holds: " there",
  },
};

test.each(Object.entries(WAYS))(
  "%s: a fallback answers in the place of a model that fails, which rests, and is charged",
  async (_, { path, models: [first, other], body, holds }) => {
    expect((await name(first, other)).status).toBe(200);
    failing(first, refuses(429, { "retry-after": "60" }));
    const { id, token } = await newPerson(parlance, `user-${crypto.randomUUID()}`);
    for (const models of [[first, first, other], [other]]) {
      provider.requests.length = 0;
      const answer = await post(path, body(`openai/${first}`), token);
      expect([answer.status, answer.headers.get("x-answered-by")]).toEqual([
        200,
        `openai/${other}`,
      ]);
      const text = await answer.text();
      expect(text).toContain(holds);
      if (path === "/v1/completions")
        expect(JSON.parse(text)).toMatchObject({ model: `openai/${other}` });
      // with each of both keys, and then by the other model; the second time that one alone
      expect(asked()).toEqual(models);
    }
    await vi.waitFor(async () => {
      const used = await ask("GET", `/api/v1/usage?groupBy=model&userId=${id}`);
      expect(used.body.items.map(({ group }) => group)).toEqual([`openai/${other}`]);
    }, 60_000);
  },
);

test.each(Object.entries(WAYS))(
  "%s: a fallback that the user's roles do not permit is never reached",
  async (way, { path, models: [first, other], body }) => {
    await name(first, other);
    failing(first);
    const permissions = [
      { action: "manage", subject: "all" },
      {
        action: "use",
        subject: "model",
        inverted: true,
        conditions: { model: `openai/${other}` },
      },
    ];
    const role = `without-${way.replaceAll(" ", "-")}`;
    await ask("POST", "/api/v1/roles", { body: { name: role, permissions } });
    const anne = { email: `${role}@test.example`, password: "a long enough password" };
    const user = { ...anne, name: "Anne", roles: [role] };
    expect((await ask("POST", "/api/v1/users", { body: user })).status).toBe(201);
    const token = await parlance.signIn(anne.email, anne.password);
    const answer = await post(path, body(`openai/${first}`), token);
    expect([answer.status, await answer.json()]).toMatchObject([
      502,
      { error: { code: "provider_failed" } },
    ]);
    expect(asked()).not.toContain(other);
    expect(asked()).toContain(first);
  },
);

test("what fails before anything is in its answer is replaced, and what comes later is not", async () => {
  await name("gpt-image-1", "gpt-image-1-mini");
  const type = { "content-type": "text/event-stream" };
  const partial = `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n`;
  const failure = 'data: {"error":{"message":"overloaded","code":503}}\n\n';
  const body = { model: "openai/gpt-image-1", prompt: "x", stream: true };
  for (const [sent, who] of [
    [failure, "openai/gpt-image-1-mini"],
    ["", "openai/gpt-image-1-mini"],
    [partial + failure, null],
  ] as const) {
    await name("gpt-image-1", "gpt-image-1-mini");
    failing("gpt-image-1", (_, to) => void to.writeHead(200, type).end(sent));
    const answer = await post("/v1/images/generations", body);
    expect([answer.status, answer.headers.get("x-answered-by")]).toEqual([200, who]);
    expect((await answer.text()).includes("image_generation.completed")).toBe(who !== null);
  }
  // an answer that comes whole is read to its end first
  await name("omni-moderation-latest", "text-moderation-latest");
  for (const sent of ["<html>", '{"unexpected":true}']) {
    await name("omni-moderation-latest", "text-moderation-latest");
    failing("omni-moderation-latest", (_, to) => void to.writeHead(200).end(sent));
    const judged = await post("/v1/moderations", { input: "x" });
    expect(judged.headers.get("x-answered-by")).toBe("openai/text-moderation-latest");
  }
});

test("a model that sends nothing is replaced, except where making it takes long", async () => {
  await name("tts-1", "gpt-4o-mini-tts");
  failing("tts-1", () => undefined);
  const body = { model: "openai/tts-1", voice: "alloy", input: "Hello" };
  const answer = await post("/v1/audio/speech", body);
  expect(answer.headers.get("x-answered-by")).toBe("openai/gpt-4o-mini-tts");
  await name("gpt-image-1", "gpt-image-1-mini");
  failing("gpt-image-1", (request, to) => {
    setTimeout(() => answerAsOpenAi(request, to), 2_000);
  });
  const image = { model: "openai/gpt-image-1", prompt: "A boat" };
  const made = await post("/v1/images/generations", image);
  expect([made.status, made.headers.get("x-answered-by")]).toEqual([200, null]);
  expect(asked()).not.toContain("gpt-image-1-mini");
});

test("what was refused is not asked of another", async () => {
  await name("gpt-image-1", "gpt-image-1-mini");
  failing("gpt-image-1", refuses(400));
  const body = { model: "openai/gpt-image-1", prompt: "A boat" };
  expect((await post("/v1/images/generations", body)).status).toBe(502);
  expect(asked()).toEqual(["gpt-image-1"]);
});

test("where none answers, the failure is that of the model that was asked", async () => {
  await name("gpt-image-1", "gpt-image-1-mini", "dall-e-3");
  provider.answer(({ body }, to) =>
    refuses(body["model"] === "gpt-image-1" ? 404 : 503)({} as TaskRequest, to),
  );
  const answer = await post("/v1/images/generations", {
    model: "openai/gpt-image-1",
    prompt: "A boat",
  });
  expect(await answer.json()).toMatchObject({ error: { code: "provider_model_unknown" } });
  expect(asked()).toEqual(["gpt-image-1", "gpt-image-1-mini", "dall-e-3"]);
});

test("one key that is refused is replaced by the other, and rests", async () => {
  await name("tts-1");
  provider.answer((request, to) =>
    request.authorization === "Bearer first-key"
      ? refuses(401)(request, to)
      : answerAsOpenAi(request, to),
  );
  const body = { model: "openai/tts-1", voice: "alloy", input: "Hello" };
  for (let at = 0; at < 12; at += 1)
    expect((await post("/v1/audio/speech", body)).status).toBe(200);
  const keys = provider.requests.map(({ authorization }) => authorization);
  expect(keys.filter((key) => key === "Bearer first-key").length).toBeLessThan(2);
  await name("tts-1");
});

test("endpoints of one model share its requests, as the same model", async () => {
  await name("tts-1", "gpt-4o-mini-tts");
  failing("none");
  const weights = { by: "weight", with: [{ id: "openai/gpt-4o-mini-tts" }] };
  expect(
    (await ask("PATCH", entry("tts-1"), { body: { loadSharing: weights } })).status,
  ).toBe(200);
  const body = { model: "openai/tts-1", voice: "alloy", input: "Hello" };
  for (let at = 0; at < 30; at += 1) {
    const answer = await post("/v1/audio/speech", body);
    expect([answer.status, answer.headers.get("x-answered-by")]).toEqual([200, null]);
    await answer.arrayBuffer();
  }
  expect(new Set(asked())).toEqual(new Set(["tts-1", "gpt-4o-mini-tts"]));
  await ask("PATCH", entry("tts-1"), { body: { loadSharing: null } });
});

test("a label chooses among the fallbacks by their providers", async () => {
  const config = { apiKey: "k", baseUrl: provider.url };
  const other = { name: "elsewhere", displayName: "E", kind: "openai-compatible", config };
  expect((await ask("POST", "/api/v1/model-providers", { body: other })).status).toBe(201);
  const model = { id: "far", name: "Far", kind: "image" };
  expect((await ask("POST", "/api/v1/models", { body: model })).status).toBe(201);
  const offer = { modelId: "far", providerName: "elsewhere", providerModelId: "far" };
  const made = { id: "elsewhere/far", ...offer };
  expect((await ask("POST", "/api/v1/available-models", { body: made })).status).toBe(201);
  const fallbacks = ["elsewhere/far", "openai/gpt-image-1-mini"];
  await ask("PATCH", entry("gpt-image-1"), { body: { fallbacks } });
  failing("gpt-image-1");
  const makes = (providers: string[]) =>
    fetch(`${parlance.internalUrl}/api/v1/completions/images`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${COMPLETION_SECRET}`,
      },
      body: JSON.stringify({
        model: "openai/gpt-image-1",
        request: { prompt: "A boat" },
        userId: bob.id,
        labels: [
          {
            id: crypto.randomUUID(),
            name: "Confidential",
            color: "red",
            providers,
            openWorld: "allowed",
            sharing: null,
          },
        ],
      }),
    });
  const within = await makes(["openai"]);
  expect(within.headers.get("x-answered-by")).toBe("openai/gpt-image-1-mini");
  expect(asked()).not.toContain("far");
  const everywhere = await makes(["openai", "elsewhere"]);
  expect(everywhere.headers.get("x-answered-by")).toBe("elsewhere/far");
});

test("our own answers with images and texts name the model that answered", async () => {
  await name("gpt-image-1", "gpt-image-1-mini");
  await name("whisper-1", "gpt-4o-transcribe");
  const draws = (model: string) =>
    post("/api/v1/images", { prompt: "A boat", model: `openai/${model}` });
  failing("gpt-image-1");
  const replaced = (await (await draws("gpt-image-1")).json()) as object;
  expect(replaced).toMatchObject({ model: "openai/gpt-image-1-mini", images: [{}] });
  const own = (await (await draws("gpt-image-1-mini")).json()) as object;
  expect(own).toMatchObject({ model: "openai/gpt-image-1-mini" });
  failing("whisper-1");
  const heard = await post("/api/v1/transcriptions", spoken("openai/whisper-1"));
  expect(await heard.json()).toMatchObject({ model: "openai/gpt-4o-transcribe" });
});

test("where money is used up, a fallback without a price answers, and one with a price does not", async () => {
  failing("tts-1");
  await name("tts-1", "gpt-4o-mini-tts");
  const pricing = { inputPerMillion: 1_000, outputPerMillion: 1, currency: "EUR" };
  for (const id of ["tts-1", "dall-e-3"])
    await ask("PATCH", entry(id), { body: { pricing } });
  const amy = await newPerson(parlance, "amy");
  const budget = { name: "Money", subjectType: "user", subjectId: amy.id, period: "day" };
  const money = await ask("POST", "/api/v1/budgets", {
    body: { ...budget, unit: "money", amount: 0.000_001 },
  });
  const image = { model: "openai/dall-e-3", prompt: "A boat" };
  expect((await post("/v1/images/generations", image, amy.token)).status).toBe(200);
  await vi.waitFor(async () => {
    const refused = await post("/v1/images/generations", image, amy.token);
    expect(refused.status).toBe(429);
  }, 60_000);
  const body = { model: "openai/tts-1", voice: "alloy", input: "Hello" };
  const answer = await post("/v1/audio/speech", body, amy.token);
  expect([answer.status, answer.headers.get("x-answered-by")]).toEqual([
    200,
    "openai/gpt-4o-mini-tts",
  ]);
  // a chain whose fallback has a price ends with the failure of the model
  await ask("PATCH", entry("tts-1"), { body: { pricing: null } });
  await ask("PATCH", entry("gpt-4o-mini-tts"), { body: { pricing } });
  provider.requests.length = 0;
  const failed = await post("/v1/audio/speech", body, amy.token);
  expect(await failed.json()).toMatchObject({ error: { code: "provider_failed" } });
  expect(asked()).not.toContain("gpt-4o-mini-tts");
  await ask("DELETE", `/api/v1/budgets/${money.body.id}`);
});

test("fallbacks are of one kind, and of embeddings the same model alone", async () => {
  const refused = await name("tts-1", "gpt-image-1");
  expect([refused.status, refused.body.code]).toEqual([400, "fallback_unsuitable"]);
});
