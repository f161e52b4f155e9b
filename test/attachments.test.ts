import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { uploadFile } from "./support/upload-file.ts";

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let bob: string;
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => provider.answer(() => ({ text: ["I see."] })));

interface Body {
  id: string;
  code: string;
  conversationId: string;
  messages: { role: string; files: { id: string; fileName: string }[] }[];
}
const PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
  0, 1,
]);
const upload = async (
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  token = parlance.token,
) => {
  return (await uploadFile(parlance, content, name, { token })).body.id;
};
const say = async (body: object, token = parlance.token) => {
  const response = await parlance.request("/api/v1/conversation", {
    body: { content: "look", stream: false, ...body },
    token,
  });
  return { status: response.status, body: (await response.json()) as Body };
};
/** Returns the last request to the model, ignoring titles. */
const asked = () =>
  JSON.stringify(
    provider.requests.findLast(
      ({ messages }) => !String(messages[0]?.content).startsWith("Write a title"),
    )?.messages,
  );

test("text and images are sent with the message and with later ones, and stored with it", async () => {
  const notes = await upload("Ada likes tea.", "notes.md");
  const photo = await upload(PNG, "photo.png");
  const { body } = await say({ files: [notes, photo] });
  const image = `data:image/png;base64,${Buffer.from(PNG).toString("base64")}`;
  expect(asked()).toContain("Ada likes tea.");
  expect(asked()).toContain(image);
  await say({ conversationId: body.conversationId, content: "and now?" });
  expect(asked()).toContain("Ada likes tea.");
  expect(asked()).toContain(image);
  const whole = (await (
    await parlance.request(`/api/v1/conversation/${body.conversationId}`)
  ).json()) as Body;
  expect(whole.messages[0]?.files).toMatchObject([
    { id: notes, fileName: "notes.md", mimeType: "text/markdown", size: 14 },
    { id: photo, fileName: "photo.png", mimeType: "image/png" },
  ]);
  expect(whole.messages[1]?.files).toEqual([]);
});

test("a message of an image alone reaches the model without an empty text, and gives the title", async () => {
  const photo = await upload(PNG, "harbour.png");
  const { status, body } = await say({ content: "", files: [photo] });
  expect(status).toBe(200);
  expect(asked()).toContain(Buffer.from(PNG).toString("base64"));
  expect(asked()).not.toContain('"text":""');
  await say({ conversationId: body.conversationId, content: "What is it?" });
  expect(asked()).toContain(Buffer.from(PNG).toString("base64"));
  const read = async () => {
    const path = `/api/v1/conversation/${body.conversationId}`;
    return (await (await parlance.request(path)).json()) as { title: string };
  };
  await expect.poll(async () => (await read()).title).not.toBe("");
});

test("a message without text and without files is refused", async () => {
  const { status, body } = await say({ content: "" });
  expect([status, body.code]).toEqual([400, "validation_failed"]);
});

test("the error names an image that was deleted meanwhile", async () => {
  const photo = await upload(new Uint8Array([...PNG, 1]), "gone.png");
  const { body } = await say({ files: [photo] });
  await parlance.request(`/api/v1/documents/${photo}`, { method: "DELETE" });
  expect((await say({ conversationId: body.conversationId })).status).toBe(200);
  expect(asked()).toContain(
    'The image \\"gone.png\\" was attached here and is not available any more.',
  );
});

test("a file that no model reads whole is searched; an unreadable one is named, and the reply continues", async () => {
  const pdf = await upload("%PDF-1.7\n%âãÏÓ\n1 0 obj\n", "paper.pdf");
  const body = { content: "What does the paper say?", files: [pdf] };
  const events = await (await parlance.request("/api/v1/conversation", { body })).text();
  expect(events).toMatch(/event: warning\ndata: .*documents_not_ready.*“paper\.pdf”/);
  expect(events).toContain("I see.");
  expect(asked()).toContain('The attached file \\"paper.pdf\\" is searched');
});

test("another user's document and an unknown one are refused before anything is stored", async () => {
  const secret = await upload("secret of the administrator", "secret.txt");
  const before = provider.requests.length;
  expect((await say({ files: [secret] }, bob)).body.code).toBe("document_not_found");
  expect((await say({ files: ["01a1fb8b-2522-72b4-a6e7-60a70d8e06b0"] })).body.code).toBe(
    "document_not_found",
  );
  expect((await say({ files: ["../etc"] })).body.code).toBe("validation_failed");
  expect(provider.requests.length).toBe(before);
  const history = (await (
    await parlance.request("/api/v1/conversation/chat-history", { token: bob })
  ).json()) as { total: number };
  expect(history.total).toBe(0);
});
