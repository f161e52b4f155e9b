import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Wire } from "../../../test/support/fake-provider/script.ts";
import { type ProviderKind, takenFiles } from "./contract-provider-kinds.ts";

/** PDFs and recordings as each provider's API takes them. */

const PDF = Buffer.from("%PDF-1.7\nA page").toString("base64");
const SOUND = Buffer.from("RIFF....WAVE").toString("base64");
const replies = [{ steps: [{ text: "Read." }] }];
const asked = (part: object, role = "user") => ({
  messages: [{ role, content: [{ type: "text", text: "What is it?" }, part] }],
});
const pdf = { type: "file", mediaType: "application/pdf", data: PDF, name: "a.pdf" };
const sound = (mediaType = "audio/wav") => ({ type: "file", mediaType, data: SOUND });

interface Body {
  messages?: { content: unknown[] }[];
  contents?: { parts: unknown[] }[];
}
const partsOf = (body: unknown) => {
  const { messages, contents } = body as Body; // of one of the APIs
  return contents?.[0]?.parts ?? messages?.[0]?.content ?? [];
};

describe.each<[ProviderKind, Wire, string, object]>([
  [
    "openai",
    "openai",
    "gpt-5-mini",
    {
      type: "file",
      file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
    },
  ],
  [
    "anthropic",
    "anthropic",
    "claude-sonnet-4-5",
    {
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: PDF },
    },
  ],
  [
    "google",
    "google",
    "gemini-2.5-flash",
    { inlineData: { mimeType: "application/pdf", data: PDF } },
  ],
  [
    "mistral",
    "mistral",
    "mistral-small-latest",
    { type: "document_url", document_url: `data:application/pdf;base64,${PDF}` },
  ],
  [
    "bedrock",
    "bedrock",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    { document: { format: "pdf", source: { bytes: PDF } } },
  ],
])("a PDF at %s", (kind, wire, model, expected) => {
  test("goes to a model that takes it in the form of its API", async () => {
    const { ask, provider } = await completionServer({ kind, wire, model, replies });
    expect(textOf(await lines(await ask(asked(pdf))))).toBe("Read.");
    expect(partsOf(provider.requests[0]?.body)).toMatchObject([{}, expected]);
  });

  test("is refused by name where it stands in the result of a tool", async () => {
    const { ask, provider } = await completionServer({ kind, wire, model, replies });
    const response = await ask(asked(pdf, "tool"));
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: "file_unsupported",
        params: { mediaType: "application/pdf", model: `fake/${model}` },
      }),
    ]);
    expect(provider.requests).toHaveLength(0);
  });
});

test.each<[ProviderKind, Wire, string, object]>([
  [
    "openai",
    "openai",
    "gpt-4o-audio-preview",
    { type: "input_audio", input_audio: { data: SOUND, format: "wav" } },
  ],
  [
    "google",
    "google",
    "gemini-2.5-pro",
    { inlineData: { mimeType: "audio/wav", data: SOUND } },
  ],
])(
  "a recording goes to a model of %s that hears, in the form of its API",
  async (kind, wire, model, part) => {
    const { ask, provider } = await completionServer({ kind, wire, model, replies });
    expect(textOf(await lines(await ask(asked(sound()))))).toBe("Read.");
    expect(partsOf(provider.requests[0]?.body)).toMatchObject([{}, part]);
  },
);

test("OpenAI calls MPEG sound mp3", async () => {
  const model = "gpt-audio-mini";
  const { ask, provider } = await completionServer({ model, replies });
  await lines(await ask(asked(sound("audio/mpeg"))));
  expect(partsOf(provider.requests[0]?.body)).toMatchObject([
    {},
    { input_audio: { format: "mp3" } },
  ]);
});

test.each<[ProviderKind, Wire, string, object]>([
  ["openai", "openai", "gpt-5-mini", sound()],
  ["openai", "openai", "gpt-audio", sound("audio/flac")],
  ["openai", "openai", "gpt-3.5-turbo", pdf],
  ["openai", "openai", "gpt-4o-audio-preview", pdf],
  ["anthropic", "anthropic", "claude-3-haiku-20240307", pdf],
  ["anthropic", "anthropic", "claude-sonnet-4-5", sound()],
  ["mistral", "mistral", "mistral-small-latest", sound()],
  ["openai-compatible", "openai", "llama-3.3-70b", pdf],
  ["ollama", "openai", "gemma", pdf],
  ["google", "google", "gemma-3", sound()],
])("%s (%s) refuses %s what it does not take", async (kind, wire, model, part) => {
  const { ask, provider } = await completionServer({ kind, wire, model, replies });
  const response = await ask(asked(part));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "file_unsupported" });
  expect(provider.requests).toHaveLength(0);
});

test.each([
  { type: "file", mediaType: "text/html", data: PDF },
  { type: "file", mediaType: "application/pdf", data: "%%%" },
  { type: "file", mediaType: "application/pdf" },
])("a file in another form is refused: %j", async (part) => {
  const { ask } = await completionServer({ model: "gpt-5-mini", replies });
  expect((await ask(asked(part))).status).toBe(400);
});

test("a PDF that is too large for the provider is refused before it is asked", async () => {
  const model = "anthropic.claude-sonnet-4-5-20250929-v1:0";
  const { ask, provider } = await completionServer({
    kind: "bedrock",
    wire: "bedrock",
    model,
    replies,
  });
  const data = Buffer.alloc(4_600_000).toString("base64");
  expect((await ask(asked({ ...pdf, data }))).status).toBe(400);
  expect(provider.requests).toHaveLength(0);
});

test("the refusal of a provider names the file as its reason", async () => {
  const body = JSON.stringify({
    type: "error",
    error: {
      type: "invalid_request_error",
      message:
        "messages.0.content.1.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.",
    },
  });
  const { ask } = await completionServer({
    kind: "anthropic",
    wire: "anthropic",
    model: "claude-sonnet-4-5",
    replies: [{ status: 400, body }],
  });
  const response = await ask(asked(pdf));
  expect(await response.json()).toMatchObject({ code: "provider_without_files" });
});

test("what the catalogue says of a model goes before its name", () => {
  expect(takenFiles("openai", "gpt-5-mini", { documents: false }).pdfBytes).toBe(0);
  expect(takenFiles("azure", "ours", {}).pdfBytes).toBe(0);
  expect(takenFiles("azure", "ours", { documents: true }).pdfBytes).toBeGreaterThan(0);
  expect(takenFiles("openai-compatible", "x", { audio: true }).audio).toContain(
    "audio/wav",
  );
  // nothing can make up for a protocol without a place
  expect(takenFiles("anthropic", "claude-sonnet-4-5", { audio: true }).audio).toEqual([]);
});
