import { readdir } from "node:fs/promises";
import { join } from "node:path";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  type Automations,
  agentNameOf,
  automationsOf,
  inputOf,
} from "./support/automations.ts";
import { clientServer } from "./support/client-server.ts";
import {
  type FakeWhisper,
  startFakeWhisper,
  verbose,
  wav,
} from "./support/fake-whisper.ts";
import type { TestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

let parlance: TestServer;
let provider: ScriptedProvider;
let whisper: FakeWhisper;
let north: Automations;
let south: Automations;
let agent: string;

beforeAll(async () => {
  provider = await startScriptedProvider();
  whisper = await startFakeWhisper();
  const made = await clientServer({
    ...settingsOf(provider),
    AUTOMATION_CAPTION_MODEL: "openai/gpt-test",
    AUTOMATION_RETRY_WAIT: "50",
    TRANSCRIPTION_URL: whisper.url,
    TRANSCRIPTION_API_KEY: "whisper-key",
    TRANSCRIPTION_TIMEOUT: "3000",
  });
  parlance = made.parlance;
  north = automationsOf(parlance, await made.tokenOf("nora", "north"));
  south = automationsOf(parlance, await made.tokenOf("sam", "south"));
  agent = await north.agent("listener");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await whisper[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.answer((_, { messages }) => ({ text: [`by ${agentNameOf(messages)}`] }));
  provider.requests.length = 0;
  whisper.answer(() => ({ body: verbose("Hello from the recording.") }));
  whisper.requests.length = 0;
});
const given = () =>
  inputOf(
    provider.requests.find(({ messages }) => agentNameOf(messages) === "listener")
      ?.messages ?? [],
  );
const pdf = async (text: string) => {
  const document = new PDFDocument();
  document.fontSize(14).text(text);
  document.end();
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>));
};
const filesLeft = async () =>
  (await readdir(join(parlance.dataDir, "files", "automations")).catch(() => [])).length;

test("a recording is sent as OpenAI's API expects, and its text, duration and language reach the agent", async () => {
  const [audio, any] = [
    await north.rule({ type: "audio/*", agents: [agent] }),
    await north.rule({ type: "*", agents: [agent] }),
  ];
  const sound = wav(2.5);
  // the bytes determine the type, whatever the name
  const { body } = await north.send(sound, "monday.txt");
  expect(body.ruleId).toBe(audio);
  const run = await north.ended(body.runId);
  expect(run).toMatchObject({
    status: "completed",
    transcript: "Hello from the recording.",
    duration: 2.5,
    language: "en",
    medium: { mimeType: "audio/wav" },
  });
  expect(given().conversation).toMatchObject({
    transcript: "Hello from the recording.",
    metadata: { filename: "monday.txt", duration: 2.5, language: "en" },
  });
  const [asked] = whisper.requests;
  expect(asked).toMatchObject({
    path: "/v1/audio/transcriptions",
    authorization: "Bearer whisper-key",
    fields: { model: "whisper-1", response_format: "verbose_json" },
    file: { name: "medium.wav", mimeType: "audio/wav" },
  });
  expect(Number(asked?.contentLength)).toBeGreaterThan(sound.length);
  expect(asked?.file?.bytes.equals(sound)).toBe(true);
  expect(await filesLeft()).toBe(0);
  for (const id of [audio, any]) await north.ask("DELETE", `/api/automations/${id}`);
});

test("an endpoint without the verbose form, or that is busy, is retried; the language is detected in the text", async () => {
  const rule = await north.rule({ type: "audio", agents: [agent] });
  let asked = 0;
  whisper.answer(({ fields }) => {
    asked += 1;
    if (asked === 1) return { status: 503, body: "busy" };
    if (fields["response_format"] !== "json")
      return {
        status: 400,
        body: '{"error": {"message": "response_format \'verbose_json\' is not compatible"}}',
      };
    return {
      body: '{"text": "Wir haben beschlossen, dass wir am Montag mit der Arbeit beginnen."}',
    };
  });
  const run = await north.ended((await north.send(wav(1), "a.wav")).body.runId);
  expect(run).toMatchObject({ status: "completed", duration: 1, language: "de" });
  await north.ask("DELETE", `/api/automations/${rule}`);
});

test("an endpoint that refuses, does not answer, or finds no text ends the run with a reason; the run can be repeated from its bytes", async () => {
  const rule = await north.rule({ type: "audio", agents: [agent] });
  const outcome = async () => {
    const run = await north.ended((await north.send(wav(1), "a.wav")).body.runId, 60_000);
    expect(run.agents).toMatchObject([
      { status: "skipped", error: { code: "medium_not_read" } },
    ]);
    return [run.status, run.error?.code];
  };
  whisper.answer(() => ({ status: 401, body: "no" }));
  expect(await outcome()).toEqual(["failed", "transcription_refused"]);
  whisper.answer(() => ({ body: "<html>" }));
  expect(await outcome()).toEqual(["failed", "transcription_invalid"]);
  whisper.answer(() => ({ body: verbose(" ") }));
  expect(await outcome()).toEqual(["failed", "no_words_found"]);
  const { body } = await north.send(wav(1), "a.wav");
  const run = await north.ended(body.runId);
  whisper.answer(() => ({ body: verbose("At last.") }));
  const again = await north.ask("POST", `/api/automations/runs/${run.id}/rerun`);
  expect(await north.ended(String(again.body["runId"]))).toMatchObject({
    status: "completed",
    transcript: "At last.",
  });
  expect((await north.ask("POST", `/api/automations/runs/${run.id}/rerun`)).body.code).toBe(
    "nothing_to_run",
  );
  await north.ask("DELETE", `/api/automations/${rule}`);
});

test("a transcription that takes too long, or whose run is cancelled, is aborted", async () => {
  const rule = await north.rule({ type: "audio", agents: [agent] });
  whisper.answer(() => undefined);
  const { body } = await north.send(wav(1), "a.wav");
  await vi.waitFor(() => expect(whisper.requests.length).toBe(1), 90_000);
  await vi.waitFor(() => expect(whisper.aborted).toBe(1), 90_000);
  await vi.waitFor(() => expect(whisper.requests.length).toBe(2), 90_000);
  expect(
    (await north.ask("POST", `/api/automations/runs/${body.runId}/cancel`)).body,
  ).toMatchObject({ status: "cancelled" });
  await vi.waitFor(() => expect(whisper.aborted).toBe(2), 90_000);
  await north.ask("DELETE", `/api/automations/${rule}`);
});

test("a vision model describes an image", async () => {
  const rule = await north.rule({ type: "image/*", agents: [agent] });
  provider.answer((_, { messages }) => ({
    text: [agentNameOf(messages) ? "seen" : "A dot of one pixel, and nothing else in it."],
  }));
  const pixel = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const run = await north.ended((await north.send(pixel, "dot.png")).body.runId);
  expect(run).toMatchObject({
    status: "completed",
    transcript: "A dot of one pixel, and nothing else in it.",
    language: "en",
  });
  expect(JSON.stringify(provider.requests[0]?.messages.at(-1)?.content)).toContain(
    pixel.toString("base64"),
  );
  await north.ask("DELETE", `/api/automations/${rule}`);
});

test("with overlapping rules of two clients, each medium reaches only its own client's best rule and agents", async () => {
  const names = async (who: Automations, label: string) =>
    Object.fromEntries(
      await Promise.all(
        ["speech", "paper", "rest"].map(async (kind) => [
          kind,
          await who.agent(`${label} ${kind}`),
        ]),
      ),
    );
  const [ours, theirs] = [await names(north, "north"), await names(south, "south")];
  const rules = async (who: Automations, agents: Record<string, unknown>) => ({
    speech: await who.rule({
      type: "audio/*",
      origin: "desk/*",
      agents: [agents["speech"]],
    }),
    paper: await who.rule({
      type: ["application/pdf", "docx"],
      origin: "desk/**",
      agents: [agents["paper"]],
    }),
    rest: await who.rule({ type: "*", origin: "desk/in", agents: [agents["rest"]] }),
  });
  const [own, foreign] = [await rules(north, ours), await rules(south, theirs)];
  const paper = await pdf("The contract ends in March.");
  for (const [who, label, set] of [
    [north, "north", own],
    [south, "south", foreign],
  ] as const) {
    provider.requests.length = 0;
    const [sound, page] = [
      await who.send(wav(1), "a.wav", { origin: "desk/in" }),
      await who.send(paper, "a.pdf", { origin: "desk/in" }),
    ];
    expect([sound.body.ruleId, page.body.ruleId]).toEqual([set.speech, set.paper]);
    expect(await who.ended(sound.body.runId)).toMatchObject({
      status: "completed",
      transcript: "Hello from the recording.",
    });
    const read = await who.ended(page.body.runId, 60_000);
    expect(read).toMatchObject({
      status: "completed",
      medium: { mimeType: "application/pdf" },
    });
    expect(read.transcript).toContain("The contract ends in March.");
    expect(provider.requests.map(({ messages }) => agentNameOf(messages)).sort()).toEqual([
      `${label} paper`,
      `${label} speech`,
    ]);
  }
  for (const [who, set] of [
    [north, own],
    [south, foreign],
  ] as const)
    for (const id of Object.values(set)) await who.ask("DELETE", `/api/automations/${id}`);
});

test("the documents service parses a document as the uploader's", async () => {
  const rule = await north.rule({ type: "text/html", agents: [agent] });
  const { body } = await north.send(
    "<!doctype html><html><body><h1>Report</h1><p>All is well.</p></body></html>",
    "report.html",
  );
  const run = await north.ended(body.runId, 60_000);
  expect(run).toMatchObject({ status: "completed", agents: [{ output: "by listener" }] });
  expect(run.transcript).toContain("All is well.");
  const documents = await north.get<{ items: { fileName: string }[] }>(
    "/api/v1/documents?query=report",
  );
  expect(documents.items).toMatchObject([{ fileName: "report.html" }]);
  await north.ask("DELETE", `/api/automations/${rule}`);
});
