import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnServer } from "./support/spawned-server.ts";

const LIMIT_KILOBYTES = 512 * 1024;

test.runIf(process.platform === "linux")(
  "a small machine of 512 MB is enough for a first start and some work",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parlance-small-"));
    const server = await spawnServer({ DATA_DIR: dataDir, SMALL_MACHINE: "yes" }, []);
    try {
      for (let n = 0; n < 20; n += 1) {
        const paths = ["chat-history", "search?q=words", "tags"];
        for (const path of paths)
          expect((await server.ask(`/api/v1/conversation/${path}`)).status).toBe(200);
      }
      const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(LIMIT_KILOBYTES);
    } finally {
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
