import { join } from "node:path";
import { z } from "zod";
import { list } from "../../platform/config/schemas.ts";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { defineService } from "../../platform/service.ts";
import { allBackends, backendsConfig, namedHosts } from "./backends/all-backends.ts";
import { parserContract } from "./contract.ts";
import { PARSING_JOBS, PARSING_STOPS } from "./contract-jobs.ts";
import { openFilePasswords } from "../../platform/files/file-passwords.ts";
import { detectDevice } from "./device.ts";
import { describeIsolation } from "../../platform/isolation/describe-isolation.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { forgetUser } from "./user-deletion.ts";
import { deleteOldJobs } from "./jobs/manage-jobs.ts";
import { runJob, stopJob, MAX_ATTEMPTS } from "./jobs/run-job.ts";
import { limitsConfig, openLimits } from "./limits.ts";
import { openLocalFiles } from "./local-files.ts";
import { visionOcr } from "./ocr/ask-vision-model.ts";
import { tesseract } from "./ocr/tesseract.ts";
import { createReader } from "./read-stored.ts";
import { checkDisk } from "./parser-health.ts";
import { parserRoutes } from "./routes.ts";

const CLEANUP_INTERVAL_MS = 10 * 60_000;
const RETENTION_MS = 24 * 3_600_000;
const OCR_PAGE_MS = 60_000;
const VISION_MS = 120_000;

export default defineService({
  name: "parser",
  port: 4004,
  contract: parserContract,
  config: limitsConfig.extend(backendsConfig.shape).extend({
    OCR_COMMAND: z
      .string()
      .default("tesseract")
      .describe("Tesseract, where this machine has it"),
    OCR_LANGUAGES: list()
      .default(["eng", "deu"])
      .describe(
        "Languages that Tesseract reads, comma-separated; those that it has not are left out",
      ),
    OCR_MODEL: z
      .string()
      .optional()
      .describe(
        "A vision model of the completion service that reads pictures of text, before Tesseract",
      ),
    OCR_MAX_PAGES: z
      .string()
      .regex(/^\d{1,5}$/, "must be a number")
      .transform(Number)
      .default(200)
      .describe("Pages of one file that are read from their picture at most"),
    PARSER_PREFETCH: z
      .string()
      .regex(/^[1-9]\d?$/, "must be a number from 1 to 99")
      .transform(Number)
      .optional()
      .describe(
        "Messages of parsing_jobs in work at once; more than PARSER_PROCESSES wait for parsers elsewhere. Default: twice that",
      ),
    CAPTION_MODEL: z
      .string()
      .optional()
      .describe("A vision model of the completion service that says what pictures show"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  uses: ["completion", "embedding"],
  async create(context) {
    const { config, db, files, queue, cache, log, dataDir, secrets, peer, hasPeer } =
      context;
    const { workers } = context;
    const local = await openLocalFiles(join(dataDir, "parsing"));
    const limits = await openLimits(config, { folder: local.folder, log });
    const { children, isolation, memory, maxBytes, memoryBytes } = limits;
    const outgoing = openOutgoing({ allow: namedHosts(config), own: () => [] });
    const backends = allBackends(config, {
      limits,
      fetch: outgoing.fetch,
      secret: secrets.SERVICE_SECRET,
    });
    const vision = (model: string | undefined) =>
      model && hasPeer("completion")
        ? { completion: peer("completion"), model, timeoutMs: VISION_MS }
        : undefined;
    const engines = [
      visionOcr(vision(config.OCR_MODEL)),
      await tesseract({
        command: config.OCR_COMMAND,
        languages: config.OCR_LANGUAGES,
        timeoutMs: OCR_PAGE_MS,
        memory,
        isolation,
      }),
    ];
    const captions = vision(config.CAPTION_MODEL);
    const reader = createReader({
      files,
      local,
      limits,
      backends,
      engines,
      captions,
      mostOcrPages: config.OCR_MAX_PAGES,
      workers,
    });
    const passwords = openFilePasswords(cache, secrets.SERVICE_SECRET);
    const jobs = { db, queue, files, passwords, parse: reader.readStored };
    const prefetch = config.PARSER_PREFETCH ?? limits.processes * 2;
    const ocr = engines.filter(({ absent }) => !absent).map(({ name }) => name);
    log.info({ memory: memory.kind, memoryBytes, ocr }, "the parser reads files");
    return {
      routes: parserRoutes({
        db,
        queue,
        files,
        cache,
        passwords,
        limits,
        folder: local.folder,
        backends,
        engines,
        captions: captions !== undefined,
        device: await detectDevice(),
        embedding: hasPeer("embedding") ? () => peer("embedding") : undefined,
        parseRequest: reader.readRequest,
      }),
      checks: {
        parser_disk: () => checkDisk(local.folder, maxBytes),
        parser_isolation: async () => describeIsolation(isolation),
      },
      consumers: [
        {
          queue: PARSING_JOBS,
          handle: (delivery) => runJob(jobs, delivery),
          options: { prefetch, tries: MAX_ATTEMPTS },
        },
        {
          queue: userDeletionQueue("parser"),
          handle: (delivery) => forgetUser({ db, files }, delivery),
        },
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
      ],
      async close() {
        await children[Symbol.asyncDispose]();
        await outgoing[Symbol.asyncDispose]();
      },
    };
  },
});
