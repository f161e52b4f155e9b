import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { held } from "./support/held.ts";
import { createInspector, type Inspector } from "./support/process-usage.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

/** How many files are sent at once. */
const COUNT = Number(process.env["LARGE_UPLOADS"] ?? 2);
const FILE_BYTES = 50 * 2 ** 20;
const PIECE = Buffer.alloc(64 * 2 ** 10, "no object of a PDF file ");

let dataDir: string;
let parlance: SpawnedServer;
let inspector: Inspector;
beforeAll(async () => {
  inspector = await createInspector();
  dataDir = await mkdtemp(join(tmpdir(), "parlance-uploads-"));
  parlance = await spawnServer({ DATA_DIR: dataDir, ...inspector.env });
});
afterAll(async () => {
  await parlance.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const BOUNDARY = "boundary-of-the-form";

/** A form with one file declared as a PDF. It ends after `bytes`, complete or not. */
function* formWith(
  name: string,
  bytes: number,
  isFinished: boolean,
): Generator<Buffer | string> {
  yield `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}.pdf"\r\n`;
  yield `Content-Type: application/pdf\r\n\r\n%PDF-1.7\n% ${name}\n`;
  for (let sent = 0; sent < bytes; sent += PIECE.length) yield PIECE;
  if (isFinished) yield `\r\n--${BOUNDARY}--\r\n`;
}

function startUpload() {
  return request(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: {
      ...parlance.authorization,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
}

/** @returns the status, and what a refusal says. */
async function upload(name: string, bytes = FILE_BYTES): Promise<string> {
  const sending = startUpload();
  const answer = new Promise<string>((resolve, reject) => {
    sending.once("error", reject);
    sending.once("response", (response) => {
      const { statusCode } = response;
      const said = text(response);
      resolve(
        said.then((words) => (statusCode === 201 ? "201" : `${statusCode} ${words}`)),
      );
    });
  });
  await pipeline(Readable.from(formWith(name, bytes, true)), sending);
  return answer;
}

/** Sends half of a file and closes the connection. */
async function breakOff(name: string): Promise<void> {
  const sending = startUpload();
  const closed = new Promise<void>((resolve) =>
    sending.on("error", () => {}).once("close", resolve),
  );
  await pipeline(Readable.from(formWith(name, FILE_BYTES / 2, false)), sending, {
    end: false,
  });
  sending.destroy();
  await closed;
}

async function storedFiles(): Promise<string[]> {
  const folder = join(dataDir, "files", "documents");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/**
 * @returns the most bytes that were in use until all are done. Garbage does not count: how much of
 * it waits to be collected depends on how busy the machine is. To collect it stops the server, so
 * that is done only while it and what is in use are together more than `limit`.
 */
async function peakBytesDuring(work: Promise<unknown>, limit: number): Promise<number> {
  const ended = new AbortController();
  void work.finally(() => ended.abort()).catch(() => {}); // the caller awaits the work too
  let peak = 0;
  while (!ended.signal.aborted) {
    const withGarbage = await inspector.usedBytes();
    const held = withGarbage < limit ? withGarbage : await inspector.heldBytes();
    peak = Math.max(peak, held);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return peak;
}

test("concurrent large uploads are streamed, and those that break off store nothing", async () => {
  expect(await upload("warm-up", 2 ** 20)).toBe("201");
  const before = await inspector.heldBytes();
  const names = Array.from({ length: COUNT }, (_, index) => `file-${index}`);

  const uploads = Promise.all([
    Promise.all(names.map((name) => upload(name))),
    Promise.all(names.map((name) => breakOff(`broken-${name}`))),
  ]);
  const peak = await peakBytesDuring(uploads, before + FILE_BYTES);
  const [answers] = await uploads;

  expect(answers).toEqual(names.map(() => "201"));
  // all of them together take less than one of them
  expect(peak - before).toBeLessThan(FILE_BYTES);
  await vi.waitFor(async () => expect(await storedFiles()).toHaveLength(COUNT + 1), 60_000);
  held("large-uploads", COUNT);
}, 600_000);
