import type { Logger } from "../telemetry/log.ts";
import { Unauthorized, Unavailable } from "../http/errors.ts";

/** A revocation, its reversal, or a change of roles, as the users service lists it. */
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

/** This process's copy of revocations; the original is in the database of the users service. */
export interface Revocations {
  /**
   * Refuses revoked users and sessions.
   * @throws Unauthorized `token_revoked`; Unavailable `revocations_unknown` while the copy is
   * older than its maximum age.
   */
  check(userId: string, sessionId?: string): void;
  /** Increases whenever the permissions of a role may have changed. */
  readonly rolesVersion: number;
  /** Resolves when the copy has everything committed before the call, or reading has failed. */
  refresh(): Promise<void>;
  /** Throws while the copy is older than its maximum age. */
  ping(): Promise<void>;
  /** Stops the periodic refresh. */
  close(): Promise<void>;
}

interface Options {
  /** Reads the entries after a position. */
  read: (after: number) => Promise<Page>;
  log: Logger;
  /** Default 30 s, the same as for cached permissions of roles. */
  maxAgeMs?: number;
  intervalMs?: number;
}

const REFRESH_INTERVAL_MS = 500;
const MAX_AGE_MS = 30_000;

/** Revoked users, and revoked sessions with the time when their entry may be deleted. */
interface Copy {
  sessions: Map<string, number>;
  users: Set<string>;
}

/** Starts the periodic refresh. Until the copy is loaded, every check is refused. */
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
  // a starting process has the same time to load its first copy
  let staleFrom = performance.now() + maxAgeMs;
  let isKnownStale = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isStale = () => performance.now() - freshAt > maxAgeMs;

  async function readAll(): Promise<void> {
    const startedAt = performance.now();
    // on a restart of the list, the old copy applies until the new one is complete
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
    deleteExpired(copy);
    if (isKnownStale) log.info("revocations are readable again");
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
        "cannot read revocations from the users service; credentials are refused with 503 until it works",
      );
    }
  }

  const refresh = serialize(tryReadAll);
  const schedule = () => {
    timer = setTimeout(
      () => void refresh().finally(() => closed || schedule()),
      intervalMs,
    );
    timer.unref();
  };
  schedule();

  return {
    check(userId, sessionId) {
      if (isStale())
        throw new Unavailable(
          "revocations_unknown",
          "The server cannot check whether this credential was revoked. Try again in a moment.",
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
      if (isStale()) throw new Error("the users service does not return revocations");
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
  if (kind === "session")
    sessions.set(id, expiresAt === null ? Infinity : Date.parse(expiresAt));
}

/** Stops at the first live session: sessions are roughly in the order in which they expire. */
function deleteExpired({ sessions }: Copy): void {
  const now = Date.now();
  for (const [id, expiresAt] of sessions) {
    if (expiresAt > now) return;
    sessions.delete(id);
  }
}

/** Runs `work` once at a time. Calls during a run share one further run after it. */
function serialize(work: () => Promise<void>): () => Promise<void> {
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
