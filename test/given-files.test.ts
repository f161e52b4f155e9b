import Anthropic from "@anthropic-ai/sdk";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import { pdfOfPages } from "./support/pdf-of-pages.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

/** Files in messages, as the official clients send them. */
let server: ScriptedServer;
let openai: OpenAI;
let anthropic: Anthropic;
let pdf: string;
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SCOPES = ["conversation:create", "model:read", "document:*"];
beforeAll(async () => {
  server = await startScriptedServer();
  openai = openaiOf(await keyOf(server.parlance.token, SCOPES));
  anthropic = new Anthropic({
    baseURL: server.parlance.url,
    apiKey: await keyOf(server.parlance.token, SCOPES),
    maxRetries: 0,
  });
  const bytes = await pdfOfPages(["The ferry costs nine coins.", "The lighthouse is red."]);
  pdf = Buffer.from(bytes).toString("base64");
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.provider.answer(() => ({ text: ["Nine."] })));

const openaiOf = (apiKey: string) =>
  new OpenAI({ baseURL: `${server.parlance.url}/v1`, apiKey, maxRetries: 0 });

async function keyOf(token: string, scopes: string[]): Promise<string> {
  const body = { name: "test", scopes };
  const made = await server.parlance.request("/api/v1/auth/api-keys", { body, token });
  return ((await made.json()) as { key: string }).key;
}

/** What the model was asked last. */
const asked = () => JSON.stringify(server.provider.requests.at(-1)?.messages);
const model = "openai/gpt-test";
const chat = (client: OpenAI, ...files: OpenAI.ChatCompletionContentPart.File.File[]) =>
  client.chat.completions.create({
    model,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What does it cost?" },
          ...files.map((file) => ({ type: "file" as const, file })),
        ],
      },
    ],
  });
async function uploaded(client: OpenAI, content: string | Buffer, name: string) {
  const file = await client.files.create({
    file: await toFile(Buffer.from(content), name),
    purpose: "user_data",
  });
  await vi.waitFor(
    async () => expect((await client.files.retrieve(file.id)).status).not.toBe("uploaded"),
    { timeout: 60_000, interval: 200 },
  );
  return file.id;
}

test("chat: a model reads the text of a PDF in a message, whatever it reads itself", async () => {
  const answer = await chat(openai, {
    file_data: `data:application/pdf;base64,${pdf}`,
    filename: "prices.pdf",
  });
  expect(answer.choices[0]?.message.content).toBe("Nine.");
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).toContain("The lighthouse is red.");
  expect(asked()).toContain("prices.pdf");
});

test("chat: an uploaded file is named by its id: its text, or the picture itself", async () => {
  const notes = await uploaded(openai, "The boat leaves at noon.", "notes.txt");
  const report = await uploaded(openai, Buffer.from(pdf, "base64"), "report.pdf");
  const picture = await uploaded(openai, Buffer.from(PNG, "base64"), "dot.png");
  await chat(openai, { file_id: notes }, { file_id: report }, { file_id: picture });
  expect(asked()).toContain("The boat leaves at noon.");
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).toContain(`data:image/png;base64,${PNG}`);
});

test("responses: a file is read once, and what was read is there in the next turn", async () => {
  const first = await openai.responses.create({
    model,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What does it cost?" },
          {
            type: "input_file",
            filename: "prices.pdf",
            file_data: `data:application/pdf;base64,${pdf}`,
          },
        ],
      },
    ],
  });
  expect(first.output_text).toBe("Nine.");
  expect(asked()).toContain("The ferry costs nine coins.");
  await openai.responses.create({
    model,
    input: "And the lighthouse?",
    previous_response_id: first.id,
  });
  expect(asked()).toContain("The lighthouse is red.");
});

test("messages: a PDF document is read, in base64 and by its id", async () => {
  const id = await uploaded(openai, "The harbour is closed.", "harbour.txt");
  const content = [
    {
      type: "document",
      title: "Prices",
      source: { type: "base64", media_type: "application/pdf", data: pdf },
    },
    { type: "document", source: { type: "file", file_id: id } },
    { type: "text", text: "What does it cost?" },
  ] as unknown as Anthropic.ContentBlockParam[]; // the file is a beta in the client's types
  const answer = await anthropic.messages.create({
    model,
    max_tokens: 100,
    messages: [{ role: "user", content }],
  });
  expect(answer.content).toMatchObject([{ type: "text", text: "Nine." }]);
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).toContain("The harbour is closed.");
  const counted = await anthropic.messages.countTokens({
    model,
    messages: [{ role: "user", content }],
  });
  expect(counted.input_tokens).toBeGreaterThan(10);
});

test("the file of somebody else is not found, and a key without document:read reads none", async () => {
  const id = await uploaded(openai, "The safe is behind the map.", "secret.txt");
  const { token } = await newPerson(server.parlance, "carla");
  const before = server.provider.requests.length;
  const stranger = openaiOf(await keyOf(token, SCOPES));
  await expect(chat(stranger, { file_id: id })).rejects.toMatchObject({
    status: 404,
    code: "document_not_found",
  });
  const narrow = openaiOf(await keyOf(server.parlance.token, ["conversation:create"]));
  await expect(chat(narrow, { file_id: id })).rejects.toMatchObject({
    status: 403,
    code: "permission_missing",
  });
  expect(server.provider.requests.length).toBe(before);
});

test.each<[OpenAI.ChatCompletionContentPart.File.File[], number, string]>([
  [[{}], 400, "given_file_missing"],
  [[{ file_data: "%%%" }], 400, "given_file_missing"],
  [[{ file_id: "file-unknown" }], 400, "given_file_missing"],
  [[{ file_id: "file-0b8f1ab7-1111-7000-8000-000000000001" }], 404, "document_not_found"],
  [
    [
      {
        file_data: `data:text/plain;base64,${Buffer.alloc(400_001, "a").toString("base64")}`,
      },
    ],
    400,
    "given_file_too_large",
  ],
  [
    Array.from({ length: 11 }, () => ({ file_data: "data:text/plain;base64,YQ==" })),
    400,
    "too_many_given_files",
  ],
  [
    [
      {
        file_data: `data:application/pdf;base64,${Buffer.from("%PDF-1.7\n").toString("base64")}`,
      },
    ],
    422,
    "invalid_pdf",
  ],
])("what cannot be read is refused: %#", async (files, status, code) => {
  await expect(chat(openai, ...files)).rejects.toMatchObject({ status, code });
});

test("an uploaded file whose text is too long for a message is refused by name", async () => {
  const id = await uploaded(openai, "A long line of words.\n".repeat(20_000), "long.txt");
  await expect(chat(openai, { file_id: id })).rejects.toMatchObject({
    status: 400,
    code: "given_file_too_large",
  });
});

test("a file at an address is refused by name", async () => {
  const input = [
    {
      role: "user" as const,
      content: [{ type: "input_file" as const, file_url: "https://example.org/a.pdf" }],
    },
  ];
  await expect(openai.responses.create({ model, input })).rejects.toThrow(
    "not read from an address",
  );
  const content = [
    {
      type: "document" as const,
      source: { type: "url" as const, url: "https://example.org/a" },
    },
  ];
  await expect(
    anthropic.messages.create({
      model,
      max_tokens: 10,
      messages: [{ role: "user", content }],
    }),
  ).rejects.toThrow("not read from an address");
});
