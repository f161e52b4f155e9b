import { z } from "zod";
import { createWorkLoop } from "../../platform/background/work-loop.ts";
import { bytes, days, duration, httpUrl, list } from "../../platform/config/schemas.ts";
import { forwardChanges } from "../../platform/hints/forward-changes.ts";
import { Routes } from "../../platform/http/routes.ts";
import { defineService } from "../../platform/service.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { createRefuseInactive } from "./acting-user.ts";
import { automationsContract } from "./contract.ts";
import { personalData, createUserDeletionHandler } from "./user-deletion.ts";
import { findDue } from "./find-due.ts";
import { createImageDescriber } from "./media/describe-image.ts";
import { createTranscriber } from "./media/transcribe.ts";
import { createDocumentParser } from "./media/parse-document.ts";
import { createMediumReader } from "./media/read-medium.ts";
import { renewReadings, takeReadings } from "./media/reading-store.ts";
import { workReading } from "./media/work-reading.ts";
import { ruleRoutes } from "./routes.ts";
import { createRuleMatcher } from "./rule-matcher.ts";
import { purgeRuns } from "./runs/purge-runs.ts";
import { runRoutes } from "./runs/routes.ts";
import { CHANGES, findOwners } from "./runs/store.ts";
import { renewSteps, takeSteps } from "./runs/step-store.ts";
import { workStep } from "./runs/work-step.ts";
import { startDueRuns } from "./schedules/start-runs.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { checkSource } from "./sources/check-source.ts";
import { sourceRoutes } from "./sources/routes.ts";
import { renewSources, takeSources } from "./sources/store.ts";

const BACKOFF_MS = 2_000;
const PURGE_INTERVAL_MS = 3_600_000;
const LOOK_INTERVAL_MS = 1_000;
const MAX_CONCURRENT_READINGS = 8;
const MAX_CONCURRENT_LOOKS = 8;

export default defineService({
  name: "automations",
  port: 4006,
  contract: automationsContract,
  config: z.object({
    AUTOMATION_MEDIA_MAX_BYTES: bytes()
      .default(500 * 2 ** 20)
      .describe("Largest medium that automations accept, in bytes"),
    AUTOMATION_HOOK_MAX_BYTES: bytes()
      .default(25 * 2 ** 20)
      .describe("Largest body that a webhook of automations accepts, in bytes"),
    AUTOMATION_FOLDERS: list()
      .default([])
      .describe(
        "Folders of the server, comma-separated, inside which administrators may watch folders",
      ),
    AUTOMATION_AGENTS_AT_ONCE: z.coerce
      .number("must be a whole number")
      .int()
      .min(1)
      .max(200)
      .default(16)
      .describe(
        "Agents of automations that this process runs at once; one user has at most half of them",
      ),
    AUTOMATION_RUN_RETENTION: days(90).describe(
      "Days to keep runs that have ended; their conversations stay",
    ),
    AUTOMATION_CAPTION_MODEL: z
      .string()
      .optional()
      .describe("Model that describes images; default: the first enabled model with vision"),
    TRANSCRIPTION_URL: httpUrl()
      .optional()
      .describe(
        "Base URL of a Whisper-compatible endpoint, without /v1/audio/transcriptions; " +
          "when unset, audio and video cannot be read",
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
      .describe("Time limit of one transcription, in ms"),
    AUTOMATION_RETRY_WAIT: duration()
      .default(BACKOFF_MS)
      .describe("Delay before an agent that failed runs again, in ms; doubles each time"),
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
    files,
    log,
    outgoing,
    secrets,
    workers,
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
    const read = createMediumReader({
      files,
      document: createDocumentParser({ db, files, documents }),
      image: createImageDescriber({
        files,
        core,
        completion: hasPeer("completion") ? peer("completion") : undefined,
        model: config.AUTOMATION_CAPTION_MODEL,
      }),
      speech: createTranscriber({
        files,
        workers,
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

    const reading = { db, files, core, refuseInactive, log, read, backoffMs };
    const step = { db, core, refuseInactive, log, backoffMs };
    const looking = { ...intake, refuseInactive, outgoing, encryptionKey, folders, log };
    const readings = createWorkLoop(
      {
        name: "read-media",
        maxConcurrent: MAX_CONCURRENT_READINGS,
        take: (room) => takeReadings(db, room),
        userOf: ({ userId }) => userId,
        work: (job, signal) => workReading(reading, job, signal),
        renew: (jobs) => renewReadings(db, jobs),
      },
      log,
    );
    const steps = createWorkLoop(
      {
        name: "run-agents",
        maxConcurrent: config.AUTOMATION_AGENTS_AT_ONCE,
        take: (room) => takeSteps(db, room),
        userOf: ({ userId }) => userId,
        work: (job, signal) => workStep(step, job, signal),
        renew: (jobs) => renewSteps(db, jobs),
      },
      log,
    );
    const sources = createWorkLoop(
      {
        name: "look-at-sources",
        maxConcurrent: MAX_CONCURRENT_LOOKS,
        take: (room) => takeSources(db, room),
        userOf: ({ source }) => source.userId,
        work: (job, signal) => checkSource(looking, job, signal),
        renew: (jobs) => renewSources(db, jobs),
      },
      log,
    );
    const workLoops = [readings, steps, sources];
    const wakeLoops = () => workLoops.forEach((loop) => loop.wake());
    return {
      routes,
      workLoops,
      subscriptions: [
        { channel: CHANGES, onNotification: wakeLoops },
        forwardChanges(cache, CHANGES, "run", (ids) => findOwners(db, ids)),
      ],
      consumers: [
        {
          queue: userDeletionQueue("automations"),
          handle: createUserDeletionHandler({ db, files, matcher }),
        },
      ],
      jobs: [
        {
          name: "look-for-due-work",
          intervalMs: LOOK_INTERVAL_MS,
          replicas: "each",
          onFailure: "due automations are looked for again in a second. Check the database.",
          async run(signal) {
            const due = await findDue(db);
            if (due.readings) readings.look();
            if (due.steps) steps.look();
            if (due.sources) sources.look();
            let begun = due.schedules ? 1 : 0;
            while (begun > 0 && !signal.aborted)
              begun = await startDueRuns({ db, log, refuseInactive });
          },
        },
        {
          name: "purge-runs",
          intervalMs: PURGE_INTERVAL_MS,
          replicas: "one",
          onFailure:
            "runs past AUTOMATION_RUN_RETENTION are deleted at the next run. " +
            "Check the database and the file storage.",
          run: (signal) => purgeRuns(db, files, config.AUTOMATION_RUN_RETENTION, signal),
        },
      ],
      close: () => matcher[Symbol.asyncDispose](),
    };
  },
});
