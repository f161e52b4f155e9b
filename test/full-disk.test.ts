import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  canMount,
  fillDisk,
  mountSmallDisk,
  type SmallDisk,
} from "./support/file-system.ts";
import { held } from "./support/held.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

/** FULL_DISKS: how many times the disk is full. */
const RUNS = Number(process.env["FULL_DISKS"] ?? 1);
/** More than the space that the server keeps free for its own work. */
const DISK_MEGABYTES = 700;

/** An answer other than the expected one is an error; a wait repeats it. */
type Made = { id: string; title: string };

describe.skipIf(!canMount)("on a disk that is full", () => {
  let dataDir: string;
  let disk: SmallDisk | undefined;
  let parlance: SpawnedServer;
  const start = () => spawnServer({ DATA_DIR: dataDir });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parlance-disk-"));
    // root in a container may not be allowed to mount
    disk = await mountSmallDisk(dataDir, DISK_MEGABYTES).catch(() => undefined);
    if (!disk) return;
    parlance = await start();
  }, 120_000);
  afterAll(async () => {
    await parlance?.kill();
    await disk?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const write = async (title: string) => {
    const response = await parlance.ask("/api/v1/canvas", {
      title,
      content: title.repeat(1_000),
    });
    return {
      status: response.status,
      body: (await response.json()) as Made & { code: string },
    };
  };

  /** Writes until a write is refused. @returns the acknowledged writes. */
  async function writeUntilRefused(round: number): Promise<Made[]> {
    const acknowledged: Made[] = [];
    const refusal = await vi.waitFor(
      async () => {
        const { status, body } = await write(`canvas ${round}/${acknowledged.length}`);
        if (status === 201) acknowledged.push(body);
        expect(status).not.toBe(201);
        return { status, code: body.code };
      },
      { timeout: 60_000, interval: 20 },
    );
    expect(refusal).toEqual({ status: 503, code: expect.any(String) as string });
    return acknowledged;
  }

  async function readAll(written: readonly Made[]): Promise<void> {
    for (const { id, title } of written) {
      const response = await parlance.ask(`/api/v1/canvas/${id}`);
      expect([response.status, await response.json()]).toEqual([
        200,
        expect.objectContaining({ title, content: title.repeat(1_000) }),
      ]);
    }
  }

  test(
    "writes are refused, reads go on, and nothing that was acknowledged is lost",
    async ({ skip }) => {
      if (!disk) return skip("this machine does not let a test mount a file system");
      const acknowledged: Made[] = [];
      for (let round = 0; round < RUNS; round += 1) {
        const writing = writeUntilRefused(round);
        const filler = await fillDisk(dataDir);
        acknowledged.push(...(await writing));
        await readAll(acknowledged.slice(-20));
        expect((await fetch(`${parlance.url}/healthz`)).status).toBe(200);
        await rm(filler);
        await vi.waitFor(
          async () => {
            const { status, body } = await write(`after ${round}`);
            expect(status).toBe(201);
            acknowledged.push(body);
          },
          { timeout: 60_000, interval: 200 },
        );
        await parlance.kill();
        parlance = await start();
      }
      expect(acknowledged.length).toBeGreaterThan(RUNS);
      await readAll(acknowledged);
      held("full-disk", RUNS);
    },
    60_000 + RUNS * 180_000,
  );
});
