import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { ApiError } from "../../../platform/http/errors.ts";
import { openOutgoing } from "../../../platform/outgoing/open-outgoing.ts";
import {
  CLOUD_KEY,
  type FakeDocumentIntelligence,
  startFakeDocumentIntelligence,
} from "../testing/fake-document-intelligence.ts";
import { ANALYSIS } from "../testing/layout-analysis.ts";
import type { SourceFile } from "./backend.ts";
import { documentIntelligence } from "./document-intelligence.ts";

let cloud: FakeDocumentIntelligence;
let folder: string;
let file: SourceFile;
const outgoing = openOutgoing({ allow: ["127.0.0.1"], own: () => [] });
const bytes = "%PDF-1.7 the bytes of a file";
beforeAll(async () => {
  cloud = await startFakeDocumentIntelligence();
  folder = await mkdtemp(join(tmpdir(), "parlance-cloud-"));
  file = {
    path: join(folder, "f"),
    fileName: "a.pdf",
    mimeType: "application/pdf",
    size: bytes.length,
  };
  await writeFile(file.path, bytes);
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  await outgoing[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  cloud.requests.splice(0);
  Object.assign(cloud.script, {
    busy: 0,
    running: 1,
    status: "succeeded",
    result: ANALYSIS,
    error: undefined,
    location: undefined,
  });
});

const backend = (more: { key?: string; endpoint?: string; timeoutMs?: number } = {}) =>
  documentIntelligence(outgoing.fetch, {
    endpoint: cloud.url,
    key: CLOUD_KEY,
    model: "prebuilt-layout",
    apiVersion: "2024-11-30",
    timeoutMs: 20_000,
    ...more,
  });
const parse = (
  more?: Parameters<typeof backend>[0],
  signal = new AbortController().signal,
) => backend(more).parse(file, {}, signal);
const failure = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    (error: unknown) =>
      error instanceof ApiError ? [error.status, error.code] : String(error),
  );

test("sends a file, polls its operation until it is done, and deletes the result at the service", async () => {
  cloud.script.running = 2;
  const parsed = await parse();
  await vi.waitFor(() => expect(cloud.requests.at(-1)?.method).toBe("DELETE"), 90_000);
  const [submitted, ...asked] = cloud.requests;
  expect(submitted).toMatchObject({
    method: "POST",
    path: "/documentintelligence/documentModels/prebuilt-layout:analyze",
    query: {
      "api-version": "2024-11-30",
      outputContentFormat: "markdown",
      stringIndexType: "utf16CodeUnit",
    },
    headers: {
      "ocp-apim-subscription-key": CLOUD_KEY,
      "content-type": "application/pdf",
      "content-length": String(bytes.length),
    },
  });
  expect(submitted?.body.toString()).toBe(bytes);
  expect(asked.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "DELETE"]);
  expect(new Set(asked.map(({ path }) => path)).size).toBe(1);
  expect(
    asked.every(({ headers }) => headers["ocp-apim-subscription-key"] === CLOUD_KEY),
  ).toBe(true);
  expect(parsed).toEqual({
    markdown:
      "# Contract\n\nBetween us and you.\n\n| Item | Price |\n| --- | --- |\n| Desk \\| oak | 12 € |\f## Terms\n\nWithin 30 days.",
    pages: 2,
    language: "en",
    warnings: [],
    pageQuality: [
      { page: 1, characters: expect.any(Number), images: 0 },
      { page: 2, characters: 20, images: 1 },
    ],
    tables: '[{"page":1,"rows":[["Item","Price"],["Desk | oak","12 €"]]}]',
  });
});

test("retries a busy service after the time that it names, at submission and while polling", async () => {
  cloud.script.busy = 2;
  expect((await parse()).pages).toBe(2);
  expect(cloud.requests.filter(({ method }) => method === "POST")).toHaveLength(3);
});

test.each([
  ["a wrong key", () => parse({ key: "another" }), [502, "parser_refused"]],
  [
    "a file that it cannot read",
    () => {
      Object.assign(cloud.script, {
        status: "failed",
        error: { code: "InvalidContent", message: "planted-upstream-words" },
      });
      return parse();
    },
    [422, "file_refused"],
  ],
  [
    "a failure of its own",
    () => {
      Object.assign(cloud.script, {
        status: "failed",
        error: { code: "InternalServerError", message: "planted-upstream-words" },
      });
      return parse();
    },
    [502, "parser_failed"],
  ],
  [
    "a result that is none",
    () => {
      cloud.script.result = { pages: 3 };
      return parse();
    },
    [502, "parser_answer_invalid"],
  ],
  [
    "an operation elsewhere, where the key does not belong",
    () => {
      cloud.script.location = "http://localhost:9/elsewhere";
      return parse();
    },
    [502, "parser_answer_invalid"],
  ],
  [
    "one that does not end",
    () => {
      cloud.script.running = 1_000;
      return parse({ timeoutMs: 300 });
    },
    [504, "parser_timeout"],
  ],
  [
    "one that is not there",
    () => parse({ endpoint: "http://127.0.0.1:9" }),
    [503, "parser_unreachable"],
  ],
])("%s has its own error, without the service's words", async (_, running, expected) => {
  const outcome = running();
  expect(await failure(outcome)).toEqual(expected);
  await expect(outcome).rejects.not.toThrow("planted-upstream-words");
});

test("stops polling when the caller leaves", async () => {
  cloud.script.running = 1_000_000;
  const leaving = new AbortController();
  const running = failure(parse({}, leaving.signal));
  await vi.waitFor(() => expect(cloud.requests.length).toBeGreaterThan(3), 90_000);
  leaving.abort();
  expect(await running).toMatch(/AbortError/);
});

test("names missing settings, and sends the key with health checks", async () => {
  expect(
    documentIntelligence(outgoing.fetch, {
      endpoint: undefined,
      key: undefined,
      model: "m",
      apiVersion: "v",
      timeoutMs: 1,
    }).absent?.message,
  ).toContain("DOCUMENT_INTELLIGENCE_ENDPOINT");
  await backend().check?.(new AbortController().signal);
  expect(
    await failure(
      backend({ key: "x" }).check?.(new AbortController().signal) ?? Promise.resolve(),
    ),
  ).toEqual([502, "parser_refused"]);
});
