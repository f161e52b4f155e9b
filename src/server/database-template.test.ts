import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { migrate } from "../platform/db/migrate.ts";
import { openDatabase } from "../platform/db/open-database.ts";
import { LEASE_TABLES } from "../platform/lease/leases.ts";
import { QUEUE_TABLES } from "../platform/queue/queue-tables.ts";
import { silentLog } from "../platform/telemetry/log.ts";
import { findTemplate } from "./database-template.ts";
import { loadServices } from "./services.ts";

test("a first start finds all tables made, in files that only their user reads", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-test-"));
  const log = { ...silentLog(), info: vi.fn() };
  const db = await openDatabase({ dataDir, findTemplate, log: silentLog() });
  try {
    const tables = (await loadServices()).flatMap(({ name, schema = name, migrations }) =>
      migrations ? [{ schema: schema.replace("-", "_"), folder: migrations }] : [],
    );
    for (const one of [LEASE_TABLES, QUEUE_TABLES, ...tables])
      await migrate(db, { ...one, log });
    expect(tables.length).toBeGreaterThan(5);
    expect(log.info).not.toHaveBeenCalled();
    const { mode } = await stat(join(dataDir, "database", "PG_VERSION"));
    expect(mode & 0o777).toBe(0o600);
  } finally {
    await db[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
