import { join } from "node:path";
import { defineService } from "../../platform/service.ts";
import { parserConfig } from "./config.ts";
import { parserContract } from "./contract.ts";
import { PARSING_JOBS, PARSING_STOPS } from "./contract-jobs.ts";
import { openFilePasswords } from "../../platform/files/file-passwords.ts";
import { detectDevice } from "./describe-parser.ts";
import { toDetail } from "../../platform/isolation/isolation.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { forgetUser } from "./user-deletion.ts";
import { deleteOldJobs } from "./jobs/manage-jobs.ts";
import { runJob, stopJob, MAX_ATTEMPTS } from "./jobs/run-job.ts";
import { openLocalFiles } from "./local-files.ts";
import { openReaders } from "./open-readers.ts";
import { checkDisk } from "./parser-health.ts";
import { parserRoutes } from "./routes.ts";
import { openTables } from "./tables/open-tables.ts";
import { readDocument } from "./tables/read-document.ts";

const CLEANUP_INTERVAL_MS = 10 * 60_000;
const FORGET_TABLES_INTERVAL_MS = 60_000;
const RETENTION_MS = 24 * 3_600_000;

export default defineService({
  name: "parser",
  port: 4004,
  contract: parserContract,
  config: parserConfig,
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  uses: ["completion", "core", "documents", "embedding", "users"],
  async create(context) {
    const { config, db, files, queue, cache, dataDir, secrets, peer, hasPeer, log } =
      context;
    const local = await openLocalFiles(join(dataDir, "parsing"));
    const readers = await openReaders(context, local);
    const { limits, reader } = readers;
    const { pool, processes, maxBytes } = limits;
    const tables = await openTables({
      folder: join(dataDir, "tables"),
      local,
      maxBytes,
      isolation: limits.isolation,
      readDocument: (id, signal) =>
        readDocument(hasPeer("documents") ? peer("documents") : undefined, id, signal),
      log,
    });
    const passwords = openFilePasswords(cache, secrets.SERVICE_SECRET);
    const running = new Set<string>();
    const jobs = { db, queue, files, passwords, running, parse: reader.readStored };
    return {
      routes: parserRoutes({
        ...readers,
        tables,
        original: { files, local, pool, processes, maxBytes },
        db,
        queue,
        files,
        cache,
        passwords,
        folder: local.folder,
        device: await detectDevice(),
        embedding: hasPeer("embedding") ? () => peer("embedding") : undefined,
        parseRequest: reader.readRequest,
      }),
      checks: {
        parser_disk: () => checkDisk(local.folder, maxBytes),
        parser_isolation: async () => toDetail(limits.isolation),
      },
      consumers: [
        {
          queue: PARSING_JOBS,
          foreign: true,
          handle: (delivery) => runJob(jobs, delivery),
          options: {
            prefetch: config.PARSER_PREFETCH ?? limits.processes * 2,
            tries: MAX_ATTEMPTS,
          },
        },
        confirmedConsumer({
          ...deletionsFor("parser", () => peer("users")),
          handle: (deletion) => forgetUser({ db, files }, deletion),
        }),
        { queue: PARSING_STOPS, handle: (delivery) => stopJob(jobs, delivery) },
      ],
      jobs: [
        {
          name: "delete-old-jobs",
          intervalMs: CLEANUP_INTERVAL_MS,
          replicas: "one",
          onFailure:
            "old parsing jobs are deleted at the next run. " +
            "Check the database and the file storage.",
          run: () => deleteOldJobs({ db, files }, RETENTION_MS),
        },
        {
          name: "forget-tables",
          intervalMs: FORGET_TABLES_INTERVAL_MS,
          replicas: "each",
          onFailure:
            "tables of documents stay on the disk until the next run. Check the disk.",
          run: () => tables.sweep(),
        },
      ],
      async close() {
        await tables[Symbol.asyncDispose]();
        await readers[Symbol.asyncDispose]();
      },
    };
  },
});
