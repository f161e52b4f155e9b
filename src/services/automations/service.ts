import { z } from "zod";
import { bytes, days, duration, httpUrl, list } from "../../platform/config/schemas.ts";
import { Routes } from "../../platform/http/routes.ts";
import { defineService } from "../../platform/service.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { createRefuseInactive } from "./acting-user.ts";
import { automationsContract } from "./contract.ts";
import { personalData, userDeletions } from "./user-deletion.ts";
import { findDue } from "./find-due.ts";
import { imageDescriber } from "./media/describe-image.ts";
import { transcriber } from "./media/transcribe.ts";
import { documentParser } from "./media/parse-document.ts";
import { mediumReader } from "./media/read-medium.ts";
import { renewReadings, takeReadings } from "./media/reading-store.ts";
import { workReading } from "./media/work-reading.ts";
import { ruleRoutes } from "./routes.ts";
import { createRuleMatcher } from "./rule-matcher.ts";
import { purgeRuns } from "./runs/purge-runs.ts";
import { runRoutes } from "./runs/routes.ts";
import { CHANGES } from "./runs/store.ts";
import { renewSteps, takeSteps } from "./runs/step-store.ts";
import { workStep } from "./runs/work-step.ts";
import { beginDueRuns } from "./schedules/begin-runs.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { lookAtSource } from "./sources/look-at-source.ts";
import { sourceRoutes } from "./sources/routes.ts";
import { renewSources, takeSources } from "./sources/store.ts";
import { startWorkLoop, type WorkLoop } from "./work-loop.ts";

const BACKOFF_MS = 2_000;
const PURGE_MS = 3_600_000;
const TICK_MS = 1_000;
/** One user has at most half of them. */
const READINGS_AT_ONCE = 8;
const LOOKS_AT_ONCE = 8;

export default defineService({
  name: "automations",
  port: 4006,
  contract: automationsContract,
  config: z.object({
    AUTOMATION_MEDIA_MAX_BYTES: bytes()
      .default(500 * 2 ** 20)
      .describe("Largest medium that automations take, in bytes"),
    AUTOMATION_HOOK_MAX_BYTES: bytes()
      .default(25 * 2 ** 20)
      .describe("Largest body that a webhook of automations takes, in bytes"),
    AUTOMATION_FOLDERS: list()
      .default([])
      .describe(
        "Folders of the server that automations may watch, comma-separated; administrators choose from what lies in them",
      ),
    AUTOMATION_AGENTS_AT_ONCE: z.coerce
      .number("must be a whole number")
      .int()
      .min(1)
      .max(200)
      .default(16)
      .describe(
        "Agents of automations that this process waits for at once; of one user at most half of them",
      ),
    AUTOMATION_RUN_RETENTION: days(90).describe(
      "How long runs that have ended are kept, in days; their conversations stay",
    ),
    AUTOMATION_CAPTION_MODEL: z
      .string()
      .optional()
      .describe("Model that describes images; default: the first enabled one that sees"),
    TRANSCRIPTION_URL: httpUrl()
      .optional()
      .describe(
        "Endpoint compatible with Whisper's, up to before /v1/audio/transcriptions; without it audio and video cannot be read",
      ),
    TRANSCRIPTION_API_KEY: z
      .string()
      .min(1)
      .optional()
      .meta({ secret: true })
      .describe("Key of the transcription endpoint"),
    TRANSCRIPTION_MODEL: z.string().default("whisper-1").describe("Model that transcribes"),
    TRANSCRIPTION_TIMEOUT: duration()
      .default(30 * 60_000)
      .describe("How long one transcription may take, in ms"),
    AUTOMATION_RETRY_WAIT: duration()
      .default(BACKOFF_MS)
      .describe("How long an agent that failed waits for its next try, in ms; doubles each time"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["core", "users"],
  uses: ["documents", "completion"],
  encrypts: true,
  async create({
    config,
    db,
    cache,
    queue,
    files,
    log,
    outgoing,
    secrets,
    publicUrl,
    guard,
    peer,
    hasPeer,
  }) {
    const core = peer("core");
    const users = peer("users");
    const refuseInactive = createRefuseInactive({ users, guard });
    const matcher = await createRuleMatcher(db, cache);
    const backoffMs = config.AUTOMATION_RETRY_WAIT;
    const documents = hasPeer("documents") ? peer("documents") : undefined;
    const read = mediumReader({
      files,
      document: documentParser({ db, files, documents }),
      image: imageDescriber({
        files,
        core,
        completion: hasPeer("completion") ? peer("completion") : undefined,
        model: config.AUTOMATION_CAPTION_MODEL,
      }),
      speech: transcriber({
        files,
        outgoing,
        url: config.TRANSCRIPTION_URL,
        apiKey: config.TRANSCRIPTION_API_KEY,
        model: config.TRANSCRIPTION_MODEL,
        timeoutMs: config.TRANSCRIPTION_TIMEOUT,
      }),
    });
    const routes = new Routes();
    const intake = { db, files, matcher, maxBytes: config.AUTOMATION_MEDIA_MAX_BYTES };
    const encryptionKey = secrets.ENCRYPTION_KEY;
    const folders = config.AUTOMATION_FOLDERS;
    runRoutes(routes, { ...intake, core, log });
    scheduleRoutes(routes, { db, core });
    sourceRoutes(routes, {
      ...intake,
      refuseInactive,
      cache,
      outgoing,
      folders,
      encryptionKey,
      publicUrl,
      hookMaxBytes: config.AUTOMATION_HOOK_MAX_BYTES,
    });
    ruleRoutes(routes, { db, guard, core, matcher, users, log });
    routes.on(automationsContract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    );

    const loops: WorkLoop[] = [];
    const open: AsyncDisposable[] = [];
    let purge: NodeJS.Timeout | undefined;
    let clock: NodeJS.Timeout | undefined;
    let looking: Promise<void> | undefined;
    return {
      routes,
      async start() {
        const reading = { db, files, core, refuseInactive, log, read, backoffMs };
        const step = { db, core, refuseInactive, log, backoffMs };
        const readings = startWorkLoop(
          {
            name: "reading",
            most: READINGS_AT_ONCE,
            take: (room) => takeReadings(db, room),
            userOf: ({ userId }) => userId,
            work: (job, signal) => workReading(reading, job, signal),
            renew: (jobs) => renewReadings(db, jobs),
          },
          log,
        );
        const steps = startWorkLoop(
          {
            name: "agents",
            most: config.AUTOMATION_AGENTS_AT_ONCE,
            take: (room) => takeSteps(db, room),
            userOf: ({ userId }) => userId,
            work: (job, signal) => workStep(step, job, signal),
            renew: (jobs) => renewSteps(db, jobs),
          },
          log,
        );
        const atSource = { ...intake, refuseInactive, outgoing, encryptionKey, folders, log };
        const sources = startWorkLoop(
          {
            name: "sources",
            most: LOOKS_AT_ONCE,
            take: (room) => takeSources(db, room),
            userOf: ({ source }) => source.userId,
            work: (job, signal) => lookAtSource(atSource, job, signal),
            renew: (jobs) => renewSources(db, jobs),
          },
          log,
        );
        loops.push(readings, steps, sources);
        const look = async () => {
          const due = await findDue(db);
          if (due.readings) readings.look();
          if (due.steps) steps.look();
          if (due.sources) sources.look();
          let begun = due.schedules ? 1 : 0;
          while (begun > 0) begun = await beginDueRuns({ db, log, refuseInactive });
        };
        clock = setInterval(() => {
          looking ??= look()
            .catch((error: unknown) =>
              log.warn({ err: error }, "automations could not look for what is due"),
            )
            .finally(() => (looking = undefined));
        }, TICK_MS).unref();
        open.push(await db.listen(CHANGES, () => loops.forEach((loop) => loop.wake())));
        open.push(
          await queue.consume(
            userDeletionQueue("automations"),
            userDeletions({ db, files, matcher }),
          ),
        );
        purge = setInterval(() => {
          purgeRuns(db, files, config.AUTOMATION_RUN_RETENTION).catch((error: unknown) =>
            log.warn({ err: error }, "old runs could not be deleted"),
          );
        }, PURGE_MS).unref();
      },
      async close() {
        clearInterval(purge);
        clearInterval(clock);
        await looking;
        await Promise.all(open.map((one) => one[Symbol.asyncDispose]()));
        await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
        await matcher[Symbol.asyncDispose]();
      },
    };
  },
});
