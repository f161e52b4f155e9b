import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  answerAsOpenAi,
  type FakeMediaProvider,
  PIXEL,
  startFakeMediaProvider,
} from "./support/fake-media-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** Images that replies make, and Parlance's own routes of images and sound. */

let server: ScriptedServer;
let parlance: TestServer;
let pictures: FakeMediaProvider;
beforeAll(async () => {
  pictures = await startFakeMediaProvider();
  server = await startScriptedServer();
  ({ parlance } = server);
  await post("/model-providers", {
    name: "pictures",
    displayName: "Pictures",
    kind: "openai-compatible",
    config: { baseUrl: pictures.url, apiKey: "the-key" },
  });
  for (const [kind, id, price] of [
    ["image", "painter", { perImage: 0.25 }],
    ["speech", "voice", { perMillionCharacters: 15 }],
    ["transcription", "ear", { perMinute: 0.6 }],
  ] as const) {
    const pricing = { inputPerMillion: 0, outputPerMillion: 0, currency: "EUR", ...price };
    await post("/models", { id, name: id, kind });
    const offer = { modelId: id, providerName: "pictures", providerModelId: id, pricing };
    await post("/available-models", { id: `pictures/${id}`, ...offer });
  }
}, 120_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await pictures[Symbol.asyncDispose]();
});
beforeEach(() => pictures.answer(answerAsOpenAi));

async function post(path: string, body: object, token?: string): Promise<Response> {
  const options = { body, ...(token && { token }) };
  const answer = await parlance.request(`/api/v1${path}`, options);
  if (!token) expect([path, answer.status]).toEqual([path, expect.toSatisfy(isOk)]);
  return answer;
}
const isOk = (status: number) => status === 200 || status === 201;
const last = () => pictures.requests.at(-1);

interface Result {
  content: string;
  isError: boolean;
  files?: { name: string; kind: string; fileId: string; mediaType: string }[];
}

/** A message whose reply makes one call. */
async function calls(name: string, input: object, more: object = {}) {
  server.provider.answerTurns(
    { toolCalls: [{ name, arguments: { ...input } }] },
    { text: ["There it is."] },
  );
  const body = { content: "a picture", tools: ["toolset:images"], ...more };
  const events = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
  const data = events.find(({ event }) => event === "tool_result")?.data;
  return {
    result: data as unknown as Result,
    conversationId: String(events[0]?.data["conversationId"]),
    events,
  };
}

test("a reply makes an image, which its conversation keeps and the model sees", async () => {
  const { result, conversationId } = await calls("make_image", {
    prompt: "A paper boat, on a lake",
    size: "1024x1024",
  });
  expect(result).toMatchObject({ isError: false });
  const [file] = result.files ?? [];
  expect(file).toMatchObject({
    kind: "image",
    name: "a-paper-boat-on-a-lake.png",
    mediaType: "image/png",
  });
  expect(last()).toMatchObject({
    path: "/v1/images/generations",
    body: { model: "painter", prompt: "A paper boat, on a lake", n: 1, size: "1024x1024" },
  });
  const stored = await parlance.request(
    `/api/v1/conversation/files/${file?.fileId}/content?inline=true`,
  );
  expect(stored.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await stored.arrayBuffer()).toString("base64")).toBe(PIXEL);
  const seen = JSON.stringify(server.provider.turns().at(-1)?.messages);
  expect(seen).toContain(PIXEL.slice(0, 20));

  const edited = await calls(
    "edit_image",
    { prompt: "Bluer", files: [file?.name], name: "blue boat" },
    { conversationId },
  );
  expect(edited.result.files?.[0]).toMatchObject({ name: "blue-boat.png" });
  expect(last()?.path).toBe("/v1/images/edits");
  expect(last()?.files).toMatchObject([{ field: "image", type: "image/png" }]);
  expect(last()?.files[0]?.bytes.toString("base64")).toBe(PIXEL);
});

test("an attached picture is edited, and what is none is refused by its name", async () => {
  const { body } = await uploadFile(parlance, Buffer.from(PIXEL, "base64"), "photo.png", {
    fields: { as: "attachment" },
  });
  const files = [(body as { id: string }).id];
  const edit = { prompt: "Brighter", files: ["photo.png"] };
  const { result, conversationId } = await calls("edit_image", edit, { files });
  expect(result).toMatchObject({ isError: false, files: [{ name: "brighter.png" }] });
  const missing = await calls(
    "edit_image",
    { ...edit, files: ["x.png"] },
    { conversationId },
  );
  expect(missing.result).toMatchObject({
    isError: true,
    content: expect.stringMatching(/^conversation_file_unknown: .*photo\.png/),
  });
});

test("a model whose server refuses to answer with bytes is asked again without that", async () => {
  pictures.answer((request, to) => {
    if (!request.body["response_format"]) return answerAsOpenAi(request, to);
    const error = { error: { message: "Unknown parameter: 'response_format'." } };
    to.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(error));
  });
  const { result } = await calls("make_image", { prompt: "A boat" });
  expect(result).toMatchObject({ isError: false });
});

test("whoever may not make images has no route and no tool for it", async () => {
  const permissions = [{ action: "create", subject: "image", inverted: true }];
  await post("/roles", { name: "no-images", permissions });
  const person = { email: "carla@test.example", password: "a long enough password" };
  await post("/users", { ...person, name: "Carla", roles: ["user", "no-images"] });
  const token = await parlance.signIn(person.email, person.password);
  const before = pictures.requests.length;
  expect((await post("/images", { prompt: "x" }, token)).status).toBe(403);
  const asked = { content: "a picture", tools: ["toolset:images"] };
  const refused = await post("/conversation", asked, token);
  expect(await refused.text()).toContain("permission_missing");
  expect(pictures.requests).toHaveLength(before);
});

test("images, speech and transcriptions have routes of their own", async () => {
  const kinds = await parlance.request("/api/v1/available-models/selections/kinds");
  expect(await kinds.json()).toEqual({
    kinds: expect.arrayContaining(["completion", "image", "speech", "transcription"]),
  });
  const made = await post("/images", { prompt: "A boat" });
  expect(await made.json()).toEqual({
    model: "pictures/painter",
    images: [{ mediaType: "image/png", data: PIXEL }],
  });

  const { conversationId } = await calls("make_image", { prompt: "first" });
  const kept = await post("/images", { prompt: "A boat", conversationId });
  const { images } = (await kept.json()) as { images: { file?: { name: string } }[] };
  expect(images[0]?.file).toMatchObject({ name: "a-boat.png" });
  expect((await post("/images", { prompt: "x", conversationId }, server.bob)).status).toBe(
    404,
  );

  const speech = await post("/speech", { text: "Good morning" });
  expect(speech.headers.get("content-type")).toBe("audio/mpeg");
  expect(await speech.text()).toBe("ID3-sound");
  expect(last()?.body).toEqual({
    model: "voice",
    input: "Good morning",
    voice: "alloy",
    response_format: "mp3",
  });

  const form = new FormData();
  form.set("language", "de");
  form.set("file", new File(["sound"], "note.webm", { type: "audio/webm" }));
  const heard = await fetch(`${parlance.url}/api/v1/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${parlance.token}` },
    body: form,
  });
  expect(await heard.json()).toEqual({ model: "pictures/ear", text: "Hello." });
  expect(last()).toMatchObject({
    body: { model: "ear", language: "de", response_format: "json" },
    file: { name: "note.webm", type: "audio/webm" },
  });
});

test("a budget of money counts what an image costs", async () => {
  const { token, id } = await newPerson(parlance, "dora");
  await post("/budgets", {
    name: "pictures",
    subjectType: "user",
    subjectId: id,
    period: "day",
    unit: "money",
    amount: 0.3,
  });
  const statuses: number[] = [];
  for (let count = 0; count < 40 && statuses.at(-1) !== 429; count += 1) {
    statuses.push((await post("/images", { prompt: "x" }, token)).status);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(statuses.slice(0, 2)).toEqual([200, 200]);
  expect(statuses.at(-1)).toBe(429);
});
