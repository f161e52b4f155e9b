import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { canCutPower, type CutDisk, mountCutDisk } from "./support/file-system.ts";
import { freePort } from "./support/free-port.ts";
import { held } from "./support/held.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

/** POWER_CUTS: how many times the power of the database's disk is cut. */
const CUTS = Number(process.env["POWER_CUTS"] ?? 1);
const BIN = "/usr/lib/postgresql/17/bin";
/** `scripts/services up` names the folder with the installed PostgreSQL. */
const root = process.env["PROXY_ROOT"] ?? "";
const canRun = canCutPower && root !== "" && existsSync(join(root, BIN, "postgres"));
const MESSAGES_BEFORE_CUT = 10;

const run = promisify(execFile);
const asPostgres = (...command: string[]) =>
  run("chroot", [root, "/usr/sbin/runuser", "-u", "postgres", "--", ...command]);

interface Acknowledged {
  id: string;
  title: string;
}

describe.skipIf(!canRun)("PostgreSQL on a disk whose power is cut", () => {
  const mountPoint = `/var/lib/parlance-power-${process.pid}`;
  const data = `${mountPoint}/data`;
  let folder: string;
  let disk: CutDisk;
  let port: number;
  let parlance: SpawnedServer;

  let databasePid = 0;

  async function startDatabase(): Promise<void> {
    const options = `-p ${port} -h 127.0.0.1 -k /tmp`;
    const log = `${mountPoint}/log`;
    await asPostgres(`${BIN}/pg_ctl`, "-D", data, "-w", "-l", log, "-o", options, "start");
    const [pid] = (await readFile(join(root, data, "postmaster.pid"), "utf8")).split("\n");
    databasePid = Number(pid);
  }

  /** Kills it and its child processes. */
  async function killDatabase(): Promise<void> {
    if (databasePid === 0) return;
    process.kill(databasePid, "SIGQUIT");
    await vi.waitFor(() => expect(existsSync(`/proc/${databasePid}`)).toBe(false), 60_000);
    databasePid = 0;
  }

  const start = () =>
    spawnServer({
      DATA_DIR: folder,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-power-"));
    disk = await mountCutDisk(join(folder, "disk.img"), join(root, mountPoint));
    await run("chroot", [root, "/usr/bin/chown", "postgres", mountPoint]);
    port = await freePort();
    await asPostgres(`${BIN}/initdb`, "-D", data, "-A", "trust");
    await startDatabase();
    parlance = await start();
  }, 180_000);
  afterAll(async () => {
    await parlance?.kill();
    await killDatabase();
    await disk?.[Symbol.asyncDispose]();
    await rm(join(root, mountPoint), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** Writes until the database is gone. */
  async function writeUntilGone(
    round: number,
    acknowledged: Acknowledged[],
  ): Promise<void> {
    for (let index = 0; ; index += 1) {
      const title = `canvas ${round}/${index}`;
      const response = await parlance.ask("/api/v1/canvas", { title, content: title });
      if (response.status !== 201) return;
      acknowledged.push((await response.json()) as Acknowledged);
    }
  }

  test(
    "what was acknowledged is there after the power comes back",
    async () => {
      const acknowledged: Acknowledged[] = [];
      for (let round = 0; round < CUTS; round += 1) {
        const before = acknowledged.length;
        const writing = writeUntilGone(round, acknowledged);
        await vi.waitFor(
          () => expect(acknowledged.length).toBeGreaterThan(before + MESSAGES_BEFORE_CUT),
          { timeout: 60_000 },
        );
        await disk.cutPower(async () => {
          await killDatabase();
          await writing;
          await parlance.kill();
        });
        await startDatabase();
        parlance = await start();
      }
      for (const { id, title } of acknowledged) {
        const response = await parlance.ask(`/api/v1/canvas/${id}`);
        expect(await response.json()).toMatchObject({ title, content: title });
      }
      held("power-cuts", CUTS);
    },
    60_000 + CUTS * 120_000,
  );
});
