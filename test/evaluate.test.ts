import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteAbandonedCopies } from "../src/commands/abandoned-copies.ts";
import { signedInClient } from "../src/commands/client.ts";
import { call, stream } from "../src/platform/http/call.ts";
import { documentsContract } from "../src/services/documents/contract.ts";
import type { Folder } from "../src/services/documents/contract-folders.ts";
import { retrievalContract } from "../src/services/retrieval/contract.ts";
import type {
  EvaluationEvent,
  VariantFigures,
} from "../src/services/retrieval/contract-evaluation.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";
import { commandEnv } from "./support/command.ts";

const TEXTS = {
  "tea.md":
    "# Tea\n\nGreen tea is brewed at seventy degrees.\n\nBlack tea takes boiling water.",
  "rice.md":
    "# Rice\n\nRice is washed three times and rests for twenty minutes in a lid-covered pot.",
  "bread.md":
    "# Bread\n\nDough for bread rises overnight in a cold place. Then it is baked.",
};
const QUESTIONS = [
  { query: "How hot is water for green tea?", expected: [{ fileName: "tea.md" }] },
  { query: "How long does rice rest?", expected: [{ fileName: "rice.md" }] },
  {
    query: "Where does dough rise?",
    expected: [
      { fileName: "bread.md", passage: "Dough for bread rises overnight in a cold place." },
    ],
  },
];
const VARIANTS = [
  { name: "words and vectors", engineName: "hybrid" as const },
  { name: "vectors", engineName: "default" as const },
];

let parlance: TestServer;
const documents = askBelow(() => parlance, "/api/v1/documents");
const ask = askBelow(() => parlance, "/api/v1");

beforeAll(async () => {
  parlance = await startTestServer();
  for (const [name, text] of Object.entries(TEXTS)) {
    expect((await uploadFile(parlance, text, name)).status).toBe(201);
  }
  await vi.waitFor(
    async () => {
      const { body } = await documents("GET", "?status=PROCESSED");
      expect(body.total).toBe(Object.keys(TEXTS).length);
    },
    { timeout: 120_000, interval: 200 },
  );
});
afterAll(() => parlance[Symbol.asyncDispose]());

function evaluation(body: object, token = parlance.token, signal?: AbortSignal) {
  const send = (request: Request) => {
    const { pathname } = new URL(request.url);
    request.headers.set("authorization", `Bearer ${token}`);
    return fetch(new Request(parlance.url + pathname, request));
  };
  // the schema of the route checks it
  const input = { body: body as never };
  const options = { timeoutMs: 60_000, ...(signal && { signal }) };
  return stream(send, retrievalContract.evaluate, input, options);
}

async function eventsOf(body: object, token?: string): Promise<EvaluationEvent[]> {
  const events: EvaluationEvent[] = [];
  for await (const batch of evaluation(body, token)) events.push(...batch);
  return events;
}

function figuresOf(events: readonly EvaluationEvent[]): VariantFigures[] {
  const last = events.at(-1);
  return last?.type === "result" ? last.variants : [];
}

test("questions are measured in each way, with progress", async () => {
  const events = await eventsOf({ questions: QUESTIONS, variants: VARIANTS });
  const total = QUESTIONS.length * VARIANTS.length;
  expect(events.slice(0, -1)).toEqual(
    Array.from({ length: total }, (_, at) => ({ type: "progress", done: at + 1, total })),
  );
  const [hybrid, vectors] = figuresOf(events);
  expect(hybrid).toMatchObject({
    name: "words and vectors",
    questions: QUESTIONS.length,
    ndcgAt10: 1,
    recallAt10: 1,
    mrrAt10: 1,
    missed: [],
    warnings: [],
  });
  expect(vectors).toMatchObject({ name: "vectors", recallAt10: 1 });
});

test("what is expected and not found counts as missed, and documents of others are not found", async () => {
  const [hybrid] = VARIANTS;
  const unknown = { query: "Who brews?", expected: [{ fileName: "coffee.md" }] };
  const asked = { questions: [QUESTIONS[0], unknown], variants: [hybrid] };
  const [own] = figuresOf(await eventsOf(asked));
  expect(own).toMatchObject({ recallAt10: 0.5, mrrAt10: 0.5, missed: ["Who brews?"] });
  const bob = await newPerson(parlance, "bob");
  const [other] = figuresOf(await eventsOf(asked, bob.token));
  expect(other).toMatchObject({ ndcgAt10: 0, recallAt10: 0 });
  expect(other?.missed).toHaveLength(2);
});

test("an evaluation that is too large, or expects nothing, is refused", async () => {
  const refusal = async (body: object) =>
    (await ask("POST", "/rag/evaluate", { body })).status;
  const [question] = QUESTIONS;
  const many = Array.from({ length: 1_000 }, () => question);
  const ways = Array.from({ length: 6 }, (_, at) => ({ name: `${at}` }));
  expect(await refusal({ questions: many, variants: ways })).toBe(400);
  expect(await refusal({ questions: [], variants: VARIANTS })).toBe(400);
  const nothing = { query: "What?", expected: [{}] };
  expect(await refusal({ questions: [nothing], variants: VARIANTS })).toBe(400);
});

test("closing the stream ends the evaluation, and another may begin", async () => {
  const questions = Array.from({ length: 300 }, () => QUESTIONS[0]);
  const stop = new AbortController();
  const read = async () => {
    for await (const batch of evaluation(
      { questions, variants: VARIANTS },
      undefined,
      stop.signal,
    ))
      if (batch.length > 0) stop.abort();
  };
  await expect(read()).rejects.toThrow();
  // one at a time: a second begins as soon as the first has ended
  await vi.waitFor(
    async () => {
      const events = await eventsOf({ questions: QUESTIONS, variants: VARIANTS });
      expect(figuresOf(events)).toHaveLength(2);
    },
    { timeout: 60_000, interval: 500 },
  );
});

function start(...args: string[]) {
  return spawn(process.execPath, ["src/main.ts", "evaluate", ...args], {
    env: { ...commandEnv(), PARLANCE_TOKEN: parlance.token },
  });
}

async function run(...args: string[]): Promise<{ status: number | null; said: string }> {
  const child = start(...args);
  let said = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const status = await new Promise<number | null>((end) => child.on("close", end));
  return { status, said };
}

test("the command compares chunkings by copies, which it deletes, and plots the figures", async () => {
  const [set, plot] = ["set.json", "plot.svg"].map((name) =>
    join(parlance.dataDir, name),
  ) as [string, string];
  await writeFile(set, JSON.stringify({ questions: QUESTIONS }));
  const { status, said } = await run(
    set,
    "--engines=hybrid,naive",
    "--chunkings=current,semchunk:20",
    `--plot=${plot}`,
    `--url=${parlance.url}`,
  );
  expect(said).toMatch(/^ +nDCG@10 +recall@10 +MRR@10 +ms$/m);
  for (const name of ["current, hybrid", "current, naive", "semchunk:20, hybrid"])
    expect(said).toMatch(new RegExp(`^${name} +1\\.000 +1\\.000 +1\\.000 `, "m"));
  expect(status).toBe(0);
  expect(await readFile(plot, "utf8")).toContain("semchunk:20, naive");
  expect((await documents("GET", "")).body.total).toBe(Object.keys(TEXTS).length);
  expect((await documents("GET", "/folders")).body.total).toBe(0);
});

test("the command says once, in words, what no variant could do", async () => {
  const set = join(parlance.dataDir, "reranked.json");
  await writeFile(set, JSON.stringify({ questions: QUESTIONS }));
  const ways = ["--engines=default,hybrid", "--rerankers=bge"];
  const { status, said } = await run(set, ...ways, `--url=${parlance.url}`);
  expect(status).toBe(0);
  expect(said.match(/^No reranker is configured.*RERANKER_SERVICE_URL\.$/gm)).toHaveLength(
    1,
  );
  expect(said).not.toContain("reranker_missing");
});

test("copies of a killed command are deleted by the next one, once nothing marks them any more", async () => {
  const set = join(parlance.dataDir, "long.json");
  const questions = Array.from({ length: 300 }, () => QUESTIONS).flat();
  await writeFile(set, JSON.stringify({ questions }));
  const child = start(set, "--chunkings=semchunk:20", `--url=${parlance.url}`);
  const ended = new Promise((end) => child.on("close", end));
  const env = { PARLANCE_TOKEN: parlance.token };
  const client = await signedInClient({ url: parlance.url }, env);
  const page = { page: 1, limit: 10 };
  const folder = await vi.waitFor(
    async () => {
      const folders = await call(client, documentsContract.listFolders, { query: page });
      const [first] = folders.items;
      const query = { ...page, folderId: first?.id ?? "" };
      const { total } = await call(client, documentsContract.list, { query });
      expect(total).toBeGreaterThan(0);
      return first as Folder; // it has documents
    },
    { timeout: 60_000 },
  );
  child.kill("SIGKILL");
  await ended;
  const minutesLater = (minutes: number): Folder => ({
    ...folder,
    createdAt: new Date(Date.parse(folder.updatedAt) + minutes * 60_000).toISOString(),
  });
  await deleteAbandonedCopies(client, minutesLater(5));
  expect((await documents("GET", "/folders")).body.total).toBe(1);
  await deleteAbandonedCopies(client, minutesLater(11));
  expect((await documents("GET", "/folders")).body.total).toBe(0);
  expect((await documents("GET", "")).body.total).toBe(Object.keys(TEXTS).length);
});

test("the command says what is wrong with a set or an option", async () => {
  const set = join(parlance.dataDir, "wrong.json");
  await writeFile(set, JSON.stringify({ questions: [{ query: "Who?", expected: [{}] }] }));
  const url = `--url=${parlance.url}`;
  expect(await run(set, url)).toMatchObject({
    status: 1,
    said: expect.stringContaining("name a documentId, a fileName or a passage") as string,
  });
  const unknown = { query: "Who?", expected: [{ fileName: "coffee.md" }] };
  await writeFile(set, JSON.stringify({ questions: [unknown] }));
  expect((await run(set, "--chunkings=semchunk:9", url)).said).toContain(
    'no document "coffee.md"',
  );
  expect((await run(set, "--chunkings=chapters", url)).said).toContain(
    "METHOD:SIZE:OVERLAP",
  );
  expect((await run(set, "--engines=best", url)).said).toContain("default, naive, hybrid");
});
