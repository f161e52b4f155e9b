import type { Logger } from "../telemetry/log.ts";
import { Unauthorized, Unavailable } from "../http/errors.ts";

/** One thing that was revoked, lifted or changed, as the users service lists it. */
interface Entry {
  kind: "session" | "user" | "roles";
  id: string;
  revoked: boolean;
  expiresAt: string | null;
}

interface Page {
  entries: Entry[];
  cursor: number;
  isComplete: boolean;
  isRestart: boolean;
}

/** This process's copy of what was revoked; the users service's database has the original. */
export interface Revocations {
  /**
   * Refuses what a user or session that was revoked sends.
   * @throws Unauthorized `token_revoked`; Unavailable `revocations_unknown` while the copy is too
   * old to be trusted.
   */
  check(userId: string, sessionId?: string): void;
  /** Changes whenever the permissions of a role may have changed. */
  readonly rolesVersion: number;
  /** Resolves when everything committed before the call is in the copy, or cannot be read now. */
  refresh(): Promise<void>;
  /** Throws while the copy is too old to be trusted. */
  ping(): Promise<void>;
  /** Ends the refreshing. */
  close(): Promise<void>;
}

interface Options {
  /** What is new since a position. */
  read: (after: number) => Promise<Page>;
  log: Logger;
  /** Default 30 s: permissions of roles are not trusted for longer either. */
  maxAgeMs?: number;
  intervalMs?: number;
}

const REFRESH_INTERVAL_MS = 500;
const MAX_AGE_MS = 30_000;

/** What was revoked, by id, with when it may be forgotten. */
interface Copy {
  sessions: Map<string, number>;
  users: Set<string>;
}

/**
 * Keeps the copy fresh from now on. Without a first `refresh` every check is refused until the copy
 * is loaded.
 */
export function createRevocations({
  read,
  log,
  maxAgeMs = MAX_AGE_MS,
  intervalMs = REFRESH_INTERVAL_MS,
}: Options): Revocations {
  let copy: Copy = { sessions: new Map(), users: new Set() };
  let cursor = 0;
  let rolesVersion = 0;
  let freshAt = Number.NEGATIVE_INFINITY;
  // a process that starts has as long for its first copy
  let staleFrom = performance.now() + maxAgeMs;
  let isKnownStale = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isStale = () => performance.now() - freshAt > maxAgeMs;

  async function readAll(): Promise<void> {
    const startedAt = performance.now();
    // nothing of a restart counts until all of it is there: the old copy holds until then
    let next = copy;
    let position = cursor;
    for (let isComplete = false; !isComplete;) {
      const page = await read(position);
      if (page.isRestart) next = { sessions: new Map(), users: new Set() };
      for (const entry of page.entries) {
        apply(next, entry);
        if (entry.kind === "roles") rolesVersion += 1;
      }
      ({ cursor: position, isComplete } = page);
    }
    copy = next;
    cursor = position;
    freshAt = startedAt;
    staleFrom = startedAt + maxAgeMs;
    forgetExpired(copy);
    if (isKnownStale) log.info("revocations can be read again");
    isKnownStale = false;
  }

  async function tryReadAll(): Promise<void> {
    try {
      await readAll();
    } catch (error) {
      if (performance.now() < staleFrom || isKnownStale || closed) return;
      isKnownStale = true;
      log.warn(
        { err: error },
        "Revocations cannot be read from the users service: credentials are refused with 503 until they can.",
      );
    }
  }

  const refresh = oneAfterAnother(tryReadAll);
  const schedule = () => {
    timer = setTimeout(() => void refresh().finally(() => closed || schedule()), intervalMs);
    timer.unref();
  };
  schedule();

  return {
    check(userId, sessionId) {
      if (isStale())
        throw new Unavailable(
          "revocations_unknown",
          "It cannot be checked now whether this credential was revoked. Try again in a moment.",
        );
      const ended = sessionId !== undefined && copy.sessions.has(sessionId);
      if (ended || copy.users.has(userId))
        throw new Unauthorized("token_revoked", "This session has ended. Sign in again.");
    },
    get rolesVersion() {
      return rolesVersion;
    },
    refresh,
    async ping() {
      if (isStale()) throw new Error("the users service does not answer what was revoked");
    },
    async close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function apply({ sessions, users }: Copy, { kind, id, revoked, expiresAt }: Entry): void {
  if (kind === "user") {
    if (revoked) users.add(id);
    else users.delete(id);
  }
  if (kind === "session") sessions.set(id, expiresAt === null ? Infinity : Date.parse(expiresAt));
}

/** Sessions are nearly in the order in which they expire. */
function forgetExpired({ sessions }: Copy): void {
  const now = Date.now();
  for (const [id, expiresAt] of sessions) {
    if (expiresAt > now) return;
    sessions.delete(id);
  }
}

/** Work that is asked for while it runs runs once more afterwards, for all who asked meanwhile. */
function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  return () => {
    if (running === undefined) {
      running = work().finally(() => (running = undefined));
      return running;
    }
    next ??= running.then(() => {
      next = undefined;
      running = work().finally(() => (running = undefined));
      return running;
    });
    return next;
  };
}
