import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import {
  CLOUD_KEY,
  type FakeDocumentIntelligence,
  startFakeDocumentIntelligence,
} from "../../src/services/parser/testing/fake-document-intelligence.ts";
import { ANALYSIS } from "../../src/services/parser/testing/layout-analysis.ts";
import { newPerson } from "./ask.ts";
import { type TestServer, startTestServer } from "./server.ts";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { settingsOf } from "./scripted-server.ts";

export const MAX_BYTES = 200_000;

export interface ParserAnswer {
  markdown: string;
  metadata: {
    parserMethod: string;
    pages: number;
    mimeType: string;
    fileName: string;
    trace: { backend: string; outcome: string }[];
  };
  job_id: string;
  status: string;
  code: string;
  error: { code: string };
  result: ParserAnswer;
  [field: string]: unknown;
}

interface Response {
  status: number;
  headers: Headers;
  text: string;
  body: ParserAnswer;
}
type Bytes = string | Uint8Array<ArrayBuffer>;
type GivenHeaders = Record<string, string>;

/** A server whose parser has a fake cloud, a fake Tesseract and a model for captions. */
export interface ParserServer extends AsyncDisposable {
  parlance: TestServer;
  cloud: FakeDocumentIntelligence;
  provider: ScriptedProvider;
  /** The token of the person who asks. */
  token(): string;
  /** Another person asks from now on, with requests per minute of their own. */
  changePerson(): Promise<void>;
  /** Before each test: the cloud succeeds, and the person has requests left. */
  reset(): Promise<void>;
  send(path: string, body: Bytes, headers?: GivenHeaders, as?: string): Promise<Response>;
  parse(
    body: Bytes,
    name?: string,
    query?: string,
    headers?: GivenHeaders,
  ): Promise<Response>;
  submit(body: string, name?: string, headers?: GivenHeaders): Promise<Response>;
  statusOf(jobId: string): Promise<ParserAnswer>;
  /** Waits until the job has ended. */
  settled(jobId: string): Promise<ParserAnswer>;
  /** The number of files below a folder of the data folder. */
  countFiles(below: string): Promise<number>;
}

export async function startParserServer(): Promise<ParserServer> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-parser-"));
  const cloud = await startFakeDocumentIntelligence();
  const provider = await startScriptedProvider();
  const parlance = await startTestServer({
    PARSER_MAX_BYTES: String(MAX_BYTES),
    OCR_COMMAND: await writeTesseract(folder),
    OCR_LANGUAGES: "eng,deu",
    CAPTION_MODEL: "gpt-test",
    ...settingsOf(provider),
    DOCUMENT_INTELLIGENCE_ENDPOINT: cloud.url,
    DOCUMENT_INTELLIGENCE_KEY: CLOUD_KEY,
  });
  const success = { busy: 0, running: 0, status: "succeeded", result: ANALYSIS } as const;
  let token = "";
  let people = 0;
  let asked = Number.POSITIVE_INFINITY;
  const changePerson = async () => {
    token = (await newPerson(parlance, `reader${(people += 1)}`)).token;
    asked = 0;
  };
  const send: ParserServer["send"] = (path, body, headers = {}, as = token) => {
    asked += 1;
    return post(parlance.url + path, body, { authorization: `Bearer ${as}`, ...headers });
  };
  const statusOf = async (id: string) => {
    const path = `/api/v1/parser/parse-status/${id}`;
    return (await (await parlance.request(path, { token })).json()) as ParserAnswer;
  };
  return {
    parlance,
    cloud,
    provider,
    token: () => token,
    changePerson,
    async reset() {
      // most tests are not about the requests per minute
      if (asked > 6) await changePerson();
      Object.assign(cloud.script, success, { error: undefined });
      cloud.requests.splice(0);
    },
    send,
    parse: (body, name = "a.md", query = methodFor(name), headers = {}) =>
      send(`/api/v1/parser/parse${query}`, body, { ...named(name), ...headers }),
    submit: (body, name = "a.md", headers = {}) =>
      send(`/api/v1/parser/parse-async${methodFor(name)}`, body, {
        ...named(name),
        ...headers,
      }),
    statusOf,
    settled: (id) =>
      vi.waitFor(async () => {
        const job = await statusOf(id);
        expect(["completed", "failed"]).toContain(job.status);
        return job;
      }, 90_000),
    async countFiles(below) {
      const path = join(parlance.dataDir, below);
      const options = { recursive: true, withFileTypes: true } as const;
      const entries = await readdir(path, options).catch(() => []);
      return entries.filter((entry) => entry.isFile()).length;
    },
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await cloud[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** A Tesseract on pipes that reads the same text from every image. @returns its path. */
async function writeTesseract(folder: string): Promise<string> {
  const command = join(folder, "tesseract");
  await writeFile(
    command,
    `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo "List of available languages (2):"; echo deu; echo osd; exit; fi\ncat >&2\necho "Read from a picture by $1 $2 $3 $4"\n`,
  );
  await chmod(command, 0o755);
  return command;
}

export function named(name: string): { "x-original-filename": string } {
  return { "x-original-filename": encodeURIComponent(name) };
}

/** The document service would read text first, and the fake one always returns the same. */
function methodFor(name: string): string {
  return /\.(?:md|txt)$/.test(name) ? "?parser_method=local" : "";
}

async function post(url: string, body: Bytes, headers: GivenHeaders): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body,
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (json ? JSON.parse(text) : {}) as ParserAnswer,
  };
}
