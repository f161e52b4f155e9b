import type { Job } from "../../platform/background/job.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import type { Database } from "../../platform/db/database.ts";
import { runEach } from "../../platform/db/delete-all.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { vacuum } from "../../platform/db/vacuum.ts";
import { repeatUntilNone } from "../../platform/db/repeat-until-none.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { providersToList } from "../completion/contract-environment.ts";
import { createDueGuess, type DueGuess } from "../../platform/background/due-guess.ts";
import { notifyTasks } from "./a2a/notify-tasks.ts";
import { hasReceivers, purgeReceivers } from "./a2a/receivers-store.ts";
import { purgeAgents } from "./agents/store.ts";
import { purgeCanvases } from "./canvas/store.ts";
import { removeFiles } from "./code/stored-files.ts";
import { discoverModels } from "./catalogue/discover-models.ts";
import { purgeProviderCalls } from "./catalogue/provider-health.ts";
import { deleteReleased, deleteUnsent } from "./conversations/delete-attachments.ts";
import { refreshStatistics } from "./conversations/refresh-statistics.ts";
import { registerForgotten } from "./conversations/register-new.ts";
import { purgeResponses } from "./openai-api/responses/store.ts";
import type { ReplyRunner } from "./replies/reply-runner.ts";
import { failAbandoned, LEASE_MS, untilAbandoned } from "./replies/store.ts";
import { purgeOld } from "./conversations/trash.ts";
import { failAbandonedConversions } from "./conversions/store.ts";
import type { Sharing } from "./sharing.ts";
import { deleteLostToolSessions } from "./tools/tool-sessions.ts";

const TELLING_INTERVAL_MS = 2_000;
const RECOVERY_INTERVAL_MS = 10_000;
const RELEASE_INTERVAL_MS = 60_000;
const VACUUM_INTERVAL_MS = 60_000;
const REMOVAL_INTERVAL_MS = 600_000;
const HOUR_MS = 3_600_000;
/** How long the start waits for providers to list their models. */
const DISCOVERY_WAIT_MS = 2_000;
const RECOVERY_WAIT_MS = 10_000;

interface Deps {
  db: Database;
  cache: Cache;
  files: Files;
  log: Logger;
  endpoints: Outgoing;
  /** For addresses of users. */
  outgoing: Outgoing;
  encryptionKey: string;
  sharing: Sharing;
  /** Calls the documents service; undefined when there is none. */
  documents: Fetch | undefined;
  runner: Pick<ReplyRunner, "running">;
  /** The ids of the conversions that this process runs now. */
  conversions: ReadonlySet<string>;
  /** When to look for receivers of tasks: it is woken when there is another. */
  receivers: DueGuess;
}

type Config = { TRASH_RETENTION: number; MODEL_LIST_REFRESH: number };

/** The background jobs of core. */
export function coreJobs(deps: Deps, config: Config): Job[] {
  const { db } = deps;
  const recovery = [recoverReplies(deps), registerConversations(deps)];
  const telling = [tellOfTasks(deps), purgeTaskReceivers(db)];
  const purges = [
    purgeTrash(deps, config.TRASH_RETENTION),
    purgeToolSessions(db),
    purgeStoredResponses(db),
    purgeCounts(db),
    removeCodeFiles(deps),
    ...deleteAttachments(deps),
  ];
  const vacuums = db.isEmbedded ? [vacuumDatabase(db)] : [];
  const housekeeping = [updateStatistics(db), ...vacuums, ...purges];
  return [...listModels(deps, config), ...recovery, ...telling, ...housekeeping];
}

function listModels(deps: Deps, config: Config): Job[] {
  const providers = providersToList(config);
  if (providers.length === 0) return [];
  return [
    {
      name: "list-models",
      intervalMs: config.MODEL_LIST_REFRESH,
      replicas: "each",
      atStart: { waitMs: DISCOVERY_WAIT_MS },
      onFailure: "the last list of models stays. Check the database.",
      run: (signal) => discoverModels(deps, providers, signal),
    },
  ];
}

/** A process never fails what it runs itself, however late it renews a lease. */
function recoverReplies({ db, runner, conversions }: Deps): Job {
  const due = createDueGuess();
  const fail = () =>
    Promise.all([
      failAbandoned(db, runner.running()),
      failAbandonedConversions(db, [...conversions]),
    ]);
  return {
    name: "fail-interrupted-replies",
    intervalMs: RECOVERY_INTERVAL_MS,
    replicas: "each",
    atStart: { waitMs: RECOVERY_WAIT_MS },
    onFailure:
      "interrupted replies and conversions end at the next run. Check the database.",
    run: () =>
      due.lookIfDue(async () => {
        const inMs = await untilAbandoned(db);
        if (inMs !== undefined && inMs <= 0) await fail();
        // what begins from now on has a whole lease
        return Math.min(inMs ?? LEASE_MS, LEASE_MS);
      }),
  };
}

function registerConversations(deps: Deps): Job {
  return {
    name: "register-conversations",
    intervalMs: RECOVERY_INTERVAL_MS,
    replicas: "one",
    onFailure:
      "new conversations cannot be shared until the next run. " +
      "Check that the users service is reachable.",
    run: () => registerForgotten(deps),
  };
}

/** Each replica takes others. */
function tellOfTasks(deps: Deps): Job {
  return {
    name: "tell-of-tasks",
    intervalMs: TELLING_INTERVAL_MS,
    replicas: "each",
    onFailure:
      "clients of A2A get notifications of their tasks when a run succeeds. Check the database.",
    run: (signal) =>
      deps.receivers.lookIfDue(async () => {
        if (!(await hasReceivers(deps.db))) return undefined;
        await notifyTasks(deps, signal);
        return 0;
      }),
  };
}

function purgeTaskReceivers(db: Database): Job {
  return {
    ...hourly("purge-task-receivers", () => purgeReceivers(db)),
    onFailure:
      "addresses that clients of A2A named stay until the next run. Check the database.",
  };
}

function updateStatistics(db: Database): Job {
  return {
    ...hourly("update-statistics", () => refreshStatistics(db)),
    atStart: { waitMs: RECOVERY_WAIT_MS },
    onFailure: "searches may be slower until the next run. Check the database.",
  };
}

/** As often as PostgreSQL does it. Not at the start, which would wait for it. */
function vacuumDatabase(db: Database): Job {
  return {
    name: "vacuum-database",
    intervalMs: VACUUM_INTERVAL_MS,
    replicas: "one",
    run: (signal) => vacuum(db, signal),
    onFailure:
      "the embedded database keeps the space of old rows until the next run. Check the disk.",
  };
}

function purgeTrash({ db, sharing }: Deps, retentionMs: number): Job {
  const run = async (signal: AbortSignal) => {
    const forget = (kind: "conversation" | "agent") => (id: string) =>
      sharing.forget(kind, id);
    await runEach([
      () => purgeOld(db, retentionMs, forget("conversation"), signal),
      () => purgeCanvases(db, retentionMs, signal),
      () => purgeAgents(db, retentionMs, forget("agent"), signal),
    ]);
  };
  return {
    ...hourly("purge-trash", run),
    onFailure:
      "what the error names stays until the next run; all else is deleted. " +
      "Check the database and the users service.",
  };
}

function purgeToolSessions(db: Database): Job {
  return {
    ...hourly("purge-tool-sessions", (signal) =>
      repeatUntilNone(db, () => deleteLostToolSessions(db), signal),
    ),
    onFailure:
      "sessions of replies whose process died stay until the next run. Check the database.",
  };
}

function purgeStoredResponses(db: Database): Job {
  return {
    ...hourly("purge-responses", (signal) => purgeResponses(db, signal)),
    onFailure:
      "old responses of /v1/responses stay until the next run. Check the database.",
  };
}

function purgeCounts(db: Database): Job {
  return {
    ...hourly("purge-provider-calls", (signal) => purgeProviderCalls(db, signal)),
    onFailure:
      "old counts of calls to providers stay until the next run. Check the database.",
  };
}

function removeCodeFiles({ db, files }: Deps): Job {
  return {
    name: "remove-code-files",
    intervalMs: REMOVAL_INTERVAL_MS,
    replicas: "one",
    onFailure:
      "files of deleted conversations stay in the storage until the next run. Check the storage.",
    run: (signal) => repeatUntilNone(db, () => removeFiles(db, files), signal),
  };
}

function deleteAttachments({ db, documents }: Deps): Job[] {
  if (!documents) return [];
  const deps = { db, documents };
  return [
    {
      name: "delete-attachments",
      intervalMs: RELEASE_INTERVAL_MS,
      replicas: "one",
      onFailure:
        "files of deleted conversations stay until the next run. Check the documents service.",
      run: (signal) => deleteReleased(deps, signal),
    },
    {
      ...hourly("delete-unsent-attachments", (signal) => deleteUnsent(deps, signal)),
      onFailure:
        "files that were never sent stay until the next run. Check the documents service.",
    },
  ];
}

function hourly(name: string, run: Job["run"]) {
  return { name, intervalMs: HOUR_MS, replicas: "one", run } as const;
}
