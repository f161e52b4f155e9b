import { STOPPING } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import { backoff } from "../../../platform/queue/backoff.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { runsContract } from "../../core/contract-runs.ts";
import type { RefuseInactive } from "../acting-user.ts";
import { findRun, type Found, type StoredRun } from "../runs/store.ts";
import { titleOf } from "../runs/work-step.ts";
import { PEER_UNAVAILABLE } from "../peer-unavailable.ts";
import { type HeldReading, saveLater, saveRead, saveUnread } from "./reading-store.ts";

/** A medium whose words are to be found. */
export type Medium = StoredRun & { medium: NonNullable<StoredRun["medium"]>; storageKey: string };

/**
 * The words of a medium and what else was found, or how long to wait for somebody else who reads
 * it.
 */
export type Read = ({ transcript: string } & Found) | { waitMs: number };

export interface ReadingDeps {
  db: Database;
  files: Files;
  core: Fetch;
  log: Logger;
  refuseInactive: RefuseInactive;
  read: (medium: Medium, reading: HeldReading, signal: AbortSignal) => Promise<Read>;
  backoffMs: number;
}

const MAX_ATTEMPTS = 6;
const LATER_MS = 10_000;
/** As much as a conversation takes. */
const MAX_TRANSCRIPT_CHARACTERS = 900_000;

/**
 * Reads one medium: its words become the beginning of a conversation of the person's, and its
 * agents begin.
 */
export async function workReading(
  deps: ReadingDeps,
  reading: HeldReading,
  signal: AbortSignal,
): Promise<void> {
  const { db, files, core } = deps;
  try {
    const run = await findRun(db, reading.runId);
    if (run?.status !== "reading") return;
    if (reading.tries > MAX_ATTEMPTS)
      throw new BadRequest("medium_not_readable", "The medium ended its reader at every try.");
    await deps.refuseInactive(run);
    const read =
      run.input === null
        ? await deps.read(mediumOf(run), reading, signal)
        : { transcript: run.input };
    if ("waitMs" in read) return await saveLater(db, reading, read.waitMs, { counts: false });
    const transcript = read.transcript.trim().slice(0, MAX_TRANSCRIPT_CHARACTERS).toWellFormed();
    if (transcript === "")
      throw new BadRequest("no_words_found", "No words were found in the medium.");
    const { userId, clientId, conversationId } = run;
    const body = { userId, clientId, conversationId, title: titleOf(run), content: transcript };
    await call(core, runsContract.keepTranscript, { body }, { signal, timeoutMs: 30_000 });
    if ((await saveRead(db, reading, { ...read, transcript })) && run.storageKey !== null)
      await files.delete(run.storageKey);
  } catch (error) {
    if (!signal.aborted) await readingFailed(deps, reading, error);
    else if (signal.reason === STOPPING) await saveLater(db, reading, 0, { counts: false });
  }
}

function mediumOf(run: StoredRun): Medium {
  const { medium, storageKey } = run;
  if (!medium || storageKey === null)
    throw new BadRequest("medium_gone", "The medium's bytes are gone. Send it again.");
  return { ...run, medium, storageKey };
}

async function readingFailed(
  { db, log, backoffMs }: ReadingDeps,
  reading: HeldReading,
  error: unknown,
): Promise<void> {
  const known = error instanceof ApiError ? error : undefined;
  if (!known) log.error({ err: error, run: reading.runId }, "a medium could not be read");
  if (known && PEER_UNAVAILABLE.includes(known.code))
    return saveLater(db, reading, LATER_MS, { counts: false });
  const helps = known === undefined || known.status >= 500 || known.status === 429;
  if (helps && reading.tries < MAX_ATTEMPTS)
    return saveLater(db, reading, backoff(reading.tries, backoffMs), { counts: true });
  await saveUnread(db, reading, {
    code: known?.code ?? "internal_error",
    message:
      known?.message ??
      "The medium could not be read. An administrator finds the reason in the log.",
  });
}
