import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { S3_KEYS } from "./support/fake-s3.ts";
import { held } from "./support/held.ts";
import { heapBytes, longestTurnSince } from "./support/measure-server.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

const LISTING_BYTES = 200_000_000;
/** Of legal pages, whose objects are all looked at: minutes for the whole listing. */
const PAGES_BYTES = process.env["STALLS_FULL"] === "1" ? LISTING_BYTES : 40_000_000;
const MAX_TURN_MS = 100;
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
const PAGE_OBJECTS = 1_000;
const turnsFile = join(tmpdir(), `parlance-listing-turns-${process.pid}`);

/** What the bucket sends for one page of its listing, by the name of the bucket. */
const CONTENTS: Record<string, (after: string) => Iterable<string>> = {
  objects: () => endless(objectOf("a".repeat(100)).repeat(500)),
  elements: () => endless("<a>".repeat(20_000)),
  "long-key": () => endless("k".repeat(65_536)),
  entities: () => endless("&#x61;&amp;".repeat(6_000)),
  attributes: () => endless(` a="${"b".repeat(60_000)}"`),
  comment: () => endless(`<!--${"-".repeat(65_536)}`),
  pages: (after) => pageAfter(Number(after.slice(-9)) || 0),
};

function* endless(piece: string): Generator<string> {
  yield "<ListBucketResult>";
  for (let sent = 0; sent < LISTING_BYTES; sent += piece.length) yield piece;
}

/** Pages as S3 allows them: their keys have nearly 1,024 bytes. */
function* pageAfter(last: number): Generator<string> {
  yield "<ListBucketResult>";
  const total = Math.floor(PAGES_BYTES / objectOf(keyOf(0)).length);
  for (let at = last + 1; at <= Math.min(total, last + PAGE_OBJECTS); at += 1)
    yield objectOf(keyOf(at));
  yield "</ListBucketResult>";
}

/** A name that ends with a slash is a folder of a console, so nothing is read for it. */
const keyOf = (at: number) => `${"k".repeat(1_000)}${String(at).padStart(9, "0")}`;

function objectOf(key: string): string {
  return `<Contents><Key>${key}/</Key><ETag>&quot;e&quot;</ETag><Size>0</Size></Contents>`;
}

let bucket: Server;
let server: SpawnedServer;
let dataDir: string;
const sent = new Map<string, number>();
beforeAll(async () => {
  bucket = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://s3");
    const name = url.pathname.slice(1);
    const after = (url.searchParams.get("start-after") ?? "").replace(/\/$/, "");
    void send(name, CONTENTS[name]?.(after) ?? [], response);
  });
  bucket.listen(0, "127.0.0.1");
  await once(bucket, "listening");
  dataDir = await mkdtemp(join(tmpdir(), "parlance-listings-"));
  const idle = await spawnServer({ DATA_DIR: dataDir });
  const limit = Math.ceil(((await heapBytes(idle)) + MAX_HEAP_GROWTH_BYTES) / 2 ** 20);
  await idle.kill();
  // a listing that needs more ends the process
  const recorder = new URL("./support/record-turns.ts", import.meta.url).href;
  server = await spawnServer({
    DATA_DIR: dataDir,
    OUTGOING_ALLOW: "127.0.0.0/8",
    NODE_OPTIONS: `--max-old-space-size=${limit} --import=${recorder}`,
    TURNS_FILE: turnsFile,
  });
}, 120_000);
afterAll(async () => {
  await server.kill();
  bucket.closeAllConnections();
  bucket.close();
  await rm(dataDir, { recursive: true, force: true });
  await rm(turnsFile, { force: true });
});

async function send(
  name: string,
  pieces: Iterable<string>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "application/xml" });
  // a reader that has enough closes the connection
  await pipeline(counted(name, pieces), response).catch(() => {});
}

function* counted(name: string, pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) {
    sent.set(name, (sent.get(name) ?? 0) + piece.length);
    yield piece;
  }
}

/** Lets a source read the bucket once, and returns the source with its error, if it has one. */
async function readOnce(name: string) {
  const settings = { endpoint: urlOf(bucket), bucket: name, ...S3_KEYS, every: 3_600 };
  const made = await server.ask("/api/automations/sources", {
    kind: "s3",
    name,
    settings,
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  let source = { lookedAt: null as string | null, error: null as unknown };
  await vi.waitFor(
    async () => {
      const answer = await server.ask(`/api/automations/sources/${id}`);
      source = (await answer.json()) as typeof source;
      expect(source.lookedAt).not.toBeNull();
    },
    { timeout: 240_000, interval: 100 },
  );
  return source;
}

const urlOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

/** A real stall occurs at each attempt; the noise of a busy machine does not. */
const TRIES = 4;

test.each(Object.keys(CONTENTS))(
  "a large listing (%s) holds neither the event loop nor memory",
  async (name) => {
    let longest = Infinity;
    for (let attempt = 0; attempt < TRIES && longest > MAX_TURN_MS; attempt += 1) {
      sent.delete(name);
      const beganAt = Date.now();
      const source = await readOnce(name);
      longest = Math.min(longest, await longestTurnSince(turnsFile, beganAt));
      expect(server.child.exitCode).toBeNull();
      if (name === "pages") {
        expect(source.error).toBeNull();
        expect(sent.get(name)).toBeGreaterThan(PAGES_BYTES * 0.99);
      } else {
        expect(source.error).toMatchObject({ code: "source_refused" });
        expect(sent.get(name)).toBeLessThan(LISTING_BYTES / 4);
      }
    }
    expect(longest).toBeLessThanOrEqual(MAX_TURN_MS);
    held("event-loop");
  },
  600_000,
);
