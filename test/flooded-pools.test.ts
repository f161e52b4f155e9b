import { createHash } from "node:crypto";
import { readFileSync, globSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { TASKS, type TaskEvent } from "../src/platform/workers/workers.ts";
import { loadServices } from "../src/server/services.ts";
import { newPerson } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** Of one user who floods a route that uses workers, and of another who then asks for little. */

const SECRET = "flooding-secret-flooding";
let parlance: TestServer;
type Person = Awaited<ReturnType<typeof newPerson>>;
let greedy: Person;
let modest: Person;
beforeAll(async () => {
  parlance = await startTestServer({ SERVICE_SECRET: SECRET });
  greedy = await newPerson(parlance, "greedy");
  modest = await newPerson(parlance, "modest");
  TASKS.subscribe(onTask);
});
afterAll(async () => {
  TASKS.unsubscribe(onTask);
  await parlance[Symbol.asyncDispose]();
});

let events: TaskEvent[] = [];
const onTask = (event: unknown) => void events.push(event as TaskEvent); // of the pools alone
afterEach(() => (events = []));
const count = (user: Person, state: TaskEvent["state"]) =>
  events.filter((event) => event.userId === user.id && event.state === state).length;
const waiting = (user: Person) =>
  count(user, "asked") - count(user, "started") - count(user, "refused");
const running = (user: Person) => count(user, "started") - count(user, "ended");

type Ask = (token: string, signal?: AbortSignal) => Promise<number>;
interface Flood {
  /** A request that takes the workers some time; a route may allow only so many at once. */
  large: Ask;
  small: Ask;
  requests: number;
}

const send =
  (path: string, init: RequestInit, server = parlance.url) =>
  async (token: string, signal?: AbortSignal) => {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    const response = await fetch(server + path, {
      ...init,
      headers,
      signal: signal ?? null,
    });
    await response.arrayBuffer();
    return response.status;
  };
const sendJson = (path: string, body: object) =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const sendFile = (path: string, body: string) =>
  send(path, { method: "POST", headers: { "x-original-filename": "a.html" }, body });

const LINE = "The quick brown fox jumps over the lazy dog. ";
const chunk = (lines: number) => sendJson("/api/v1/chunk", { text: LINE.repeat(lines) });
const page = (cells: number) => `<table>${`<tr><td>${LINE}<td>b`.repeat(cells)}</table>`;
const file = (path: string): Flood => ({
  large: sendFile(path, page(20_000)),
  small: sendFile(path, page(1)),
  requests: 8,
});

/** A file in a message, whose tokens are estimated. */
const messageWith = (text: string) => {
  const data = Buffer.from(text).toString("base64");
  const source = { type: "base64", media_type: "application/octet-stream", data };
  const content = [{ type: "document", title: "a.html", source }];
  const messages = [{ role: "user", content }];
  return sendJson("/v1/messages/count_tokens", { model: "any", messages });
};

/** Asks of a canvas of each person that exists before the flood. */
async function canvases(path: string, lines: number): Promise<Ask> {
  const paths = new Map<string, string>();
  for (const { token } of [greedy, modest]) {
    const text = (mark: string) =>
      Array.from({ length: lines }, (_, line) => `${mark} *line* ${line}`).join("\n\n");
    const ask = async (method: string, below: string, body: object) => {
      const asked = { method, body, token };
      const response = await parlance.request(`/api/v1/canvas${below}`, asked);
      return (await response.json()) as { id: string };
    };
    const { id } = await ask("POST", "", { title: "Plan", content: text("a") });
    await ask("POST", `/${id}/versions`, { baseVersion: 1, content: text("b") });
    paths.set(token, `/api/v1/canvas/${id}${path}`);
  }
  return (token, signal) => send(paths.get(token) ?? "", {})(token, signal);
}
const canvas = async (path: string, lines: number, requests: number): Promise<Flood> => ({
  large: await canvases(path, lines),
  small: await canvases(path, 1),
  requests,
});

/** Asks for each person about a table of theirs, in the name of a service. */
async function uploadTables() {
  const csv = `amount\n${Array.from({ length: 30_000 }, (_, at) => at).join("\n")}`;
  const owned = await Promise.all(
    [greedy, modest].map(async ({ id: userId, token }) => {
      const { body } = await uploadFile(parlance, csv, "orders.csv", { token });
      const sha256 = createHash("sha256").update(csv).digest("hex");
      const documents = [
        { id: body.id, sha256, mimeType: "text/csv", fileName: "orders.csv" },
      ];
      return [token, { userId, documents }] as const;
    }),
  );
  const asks = new Map(owned);
  return (sql: string): Ask =>
    (token, signal) => {
      const body = JSON.stringify({ ...asks.get(token), sql, maxRows: 10 });
      const headers = {
        "content-type": "application/json",
        "x-platform-service-secret": SECRET,
      };
      const path = "/api/v1/parser/tables/query";
      const init = { method: "POST", headers, body };
      return send(path, init, parlance.internalUrl)(token, signal);
    };
}

/** By operation: how each route that uses workers directly is flooded. */
const FLOODS: Record<string, () => Flood | Promise<Flood>> = {
  chunk: () => ({ large: chunk(12_000), small: chunk(1), requests: 20 }),
  parse: () => file("/api/v1/parser/parse"),
  readText: () => ({
    large: messageWith(page(20_000)),
    small: messageWith(page(1)),
    requests: 8,
  }),
  processDocument: () => file("/api/v1/services/process-document?chunk_size=500"),
  diffCanvas: () => canvas("/diff?from=1&to=2", 15_000, 20),
  exportCanvas: () => canvas("/export?fileType=pdf", 4_000, 4),
  queryTables: async () => {
    const orders = await uploadTables();
    return {
      large: orders("select sum(a.amount * b.amount) from orders a, orders b"),
      small: orders("select count(*) from orders"),
      requests: 7,
    };
  },
};

/** Why others that use workers are not flooded here. */
const NOT_FLOODED: Record<string, string> = {
  process: "the task and the line of `chunk`",
  processDocumentPlain: "the handler of `processDocument`",
  parsePdf: "the pool and the line of `parse`, as a service of its own",
  diffVersions: "the task and the line of `diffCanvas`",
  probeDetailed: "counts the tasks of the pool, and asks for none",
  getConversion: "the task and the line of `diffCanvas`",
  convert: "the task and the line of `diffCanvas`, after a model's answer",
  complete: "the pool and the line of `chunk`, of one short task for each model's answer",
  describeTables: "the pool and the line of `queryTables`",
  exportTables: "the pool and the line of `queryTables`",
  exportTable: "the pool and the line of `queryTables`, as a request to it",
  readOriginalPage:
    "the pool of `parse`, behind a line that lets in two requests of a user",
  drawOriginalPage:
    "the pool of `parse`, behind a line that lets in two requests of a user",
  readWebPage: "the pool and the line of `chunk`, after the page has come",
  compareWebPage: "the task and the line of `diffCanvas`, after the page has come",
  embed: "the pool and the line of `chunk`, for long texts of the built-in model",
  embedSingle: "the pool and the line of `chunk`, for long texts of the built-in model",
  openAiEmbeddings: "the pool and the line of `chunk`, for tokens and long texts",
  callTool: "the pool and the line of `chunk`, for arguments whose check was slow before",
};

/** The handlers that name what runs tasks: see `usingWorkers`. */
const USES =
  /\b(?:workers|pool\.run|parseRequest|processText|diffVersions|startConversion|convert\b|createFormatCheck|complete\(|tables\.|onPage|OriginalPage\(|readPage\(pages|comparePage|embed\(|answerEmbeddings|gateway\.call)/;

/** The operations of all contracts whose handler uses workers. */
async function usingWorkers(): Promise<string[]> {
  const services = await loadServices();
  const known = new Set(services.flatMap(({ contract }) => Object.keys(contract)));
  const handlers = globSync("src/services/**/*routes*.ts").flatMap((path) =>
    readFileSync(path, "utf8")
      .split(/\.on\(\s*/)
      .slice(1)
      // what follows the last handler of a chain is not its own
      .map((handler) => handler.split(/;\n {0,2}\S/)[0] ?? ""),
  );
  return handlers.flatMap((handler) => {
    const name = /^\w+\.(\w+)/.exec(handler)?.[1] ?? "";
    return known.has(name) && USES.test(handler) ? [name] : [];
  });
}

test("every route whose handler uses workers is flooded, or says why it need not be", async () => {
  const using = await usingWorkers();
  expect(using.length).toBeGreaterThan(8);
  const listed = { ...FLOODS, ...NOT_FLOODED };
  expect(using.filter((name) => !(name in listed))).toEqual([]);
});

describe.each(Object.entries(FLOODS))("while one user floods %s", (_, open) => {
  test("another's small request passes all that wait, and what the first left is ended", async () => {
    const { large, small, requests } = await open();
    events = [];
    const leaving = new AbortController();
    const flood = Array.from({ length: requests }, () =>
      large(greedy.token, leaving.signal).catch(() => "left"),
    );
    await vi.waitFor(() => expect(waiting(greedy)).toBeGreaterThan(0), 90_000);
    expect(await small(modest.token)).toBe(200);
    expect(passedBefore(modest)).toBe(0);

    leaving.abort();
    await Promise.all(flood);
    await vi.waitFor(
      () => expect([waiting(greedy), running(greedy)]).toEqual([0, 0]),
      90_000,
    );
  });
});

/** How many tasks of others started while this user's waited. */
function passedBefore(user: Person): number {
  let isWaiting = false;
  let passed = 0;
  for (const { state, userId } of events) {
    if (userId === user.id) isWaiting = state === "asked";
    else if (isWaiting && state === "started") passed += 1;
  }
  return passed;
}
