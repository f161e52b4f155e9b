import { STOPPING } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import { backoff } from "../../../platform/backoff.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { agentRepliesContract } from "../../core/contract-agent-replies.ts";
import type { RefuseInactive } from "../refuse-inactive.ts";
import { findRun, type MediumDetails, type StoredRun } from "../runs/store.ts";
import { titleOf } from "../runs/work-step.ts";
import { PEER_UNAVAILABLE } from "../peer-unavailable.ts";
import { type HeldReading, saveLater, saveRead, saveUnread } from "./reading-store.ts";

/** A medium to read. */
export type Medium = StoredRun & {
  medium: NonNullable<StoredRun["medium"]>;
  storageKey: string;
};

/** The text and details of a medium, or how long to wait until another service has read it. */
export type ReadResult = ({ transcript: string } & MediumDetails) | { waitMs: number };

export interface ReadingDeps {
  db: Database;
  files: Files;
  core: Fetch;
  log: Logger;
  refuseInactive: RefuseInactive;
  read: (medium: Medium, reading: HeldReading, signal: AbortSignal) => Promise<ReadResult>;
  backoffMs: number;
}

const MAX_ATTEMPTS = 6;
const PEER_RETRY_MS = 10_000;
/** The limit of a conversation's message. */
const MAX_TRANSCRIPT_CHARACTERS = 900_000;

/** Reads one medium, stores its text as a conversation of the user, and starts its agents. */
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
      throw new BadRequest(
        "medium_not_readable",
        "Reading this medium failed at every attempt. Send it again, or ask an " +
          "administrator.",
      );
    await deps.refuseInactive(run);
    const result =
      run.input === null
        ? await deps.read(requireMedium(run), reading, signal)
        : { transcript: run.input };
    if ("waitMs" in result)
      return await saveLater(db, reading, result.waitMs, { counts: false });
    const transcript = result.transcript
      .trim()
      .slice(0, MAX_TRANSCRIPT_CHARACTERS)
      .toWellFormed();
    if (transcript === "")
      throw new BadRequest(
        "no_words_found",
        "The medium contains no text. Send another one.",
      );
    const { userId, clientId, conversationId } = run;
    const body = {
      userId,
      clientId,
      conversationId,
      title: titleOf(run),
      content: transcript,
    };
    await call(
      core,
      agentRepliesContract.keepTranscript,
      { body },
      { signal, timeoutMs: 30_000 },
    );
    if ((await saveRead(db, reading, { ...result, transcript })) && run.storageKey !== null)
      await files.delete(run.storageKey);
  } catch (error) {
    if (!signal.aborted) await saveFailure(deps, reading, error);
    else if (signal.reason === STOPPING) await saveLater(db, reading, 0, { counts: false });
  }
}

function requireMedium(run: StoredRun): Medium {
  const { medium, storageKey } = run;
  if (!medium || storageKey === null)
    throw new BadRequest("medium_gone", "The medium is no longer stored. Send it again.");
  return { ...run, medium, storageKey };
}

async function saveFailure(
  { db, log, backoffMs }: ReadingDeps,
  reading: HeldReading,
  error: unknown,
): Promise<void> {
  const apiError = error instanceof ApiError ? error : undefined;
  if (!apiError) log.error({ err: error, run: reading.runId }, "reading a medium failed");
  if (apiError && PEER_UNAVAILABLE.includes(apiError.code))
    return saveLater(db, reading, PEER_RETRY_MS, { counts: false });
  const isRetryable =
    apiError === undefined || apiError.status >= 500 || apiError.status === 429;
  if (isRetryable && reading.tries < MAX_ATTEMPTS)
    return saveLater(db, reading, backoff(reading.tries, backoffMs), { counts: true });
  await saveUnread(db, reading, {
    code: apiError?.code ?? "internal_error",
    message:
      apiError?.message ??
      "The medium could not be read. Ask an administrator to look at the log.",
  });
}
