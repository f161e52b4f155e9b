import type { Logger } from "../telemetry/log.ts";
import { Unauthorized, Unavailable } from "../http/errors.ts";
import { keepFresh } from "../keep-fresh.ts";

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

/** Starts the periodic refresh. Until the copy is loaded, every check is refused. */
export function createRevocations({
  read,
  log,
  maxAgeMs = MAX_AGE_MS,
  intervalMs = REFRESH_INTERVAL_MS,
}: Options): Revocations {
  const copy = createRevocationCopy(read);
  const age = trackAge(maxAgeMs, log);
  let closed = false;
  let hasFailed = false;

  async function update(): Promise<void> {
    const startedAt = performance.now();
    try {
      await copy.update();
      age.succeeded(startedAt);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      if (!closed) age.failed(error);
    }
  }

  const fresh = keepFresh(update, () =>
    hasFailed ? Math.min(REFRESH_INTERVAL_MS, intervalMs) : intervalMs,
  );

  return {
    check(userId, sessionId) {
      if (age.isStale())
        throw new Unavailable(
          "revocations_unknown",
          "The server cannot check whether this credential was revoked. Try again in a moment.",
        );
      if (copy.isRevoked(userId, sessionId))
        throw new Unauthorized("token_revoked", "This session has ended. Sign in again.");
    },
    get rolesVersion() {
      return copy.rolesVersion;
    },
    refresh: fresh.refresh,
    async ping() {
      if (age.isStale()) throw new Error("the users service does not return revocations");
    },
    async close() {
      closed = true;
      fresh.close();
    },
  };
}

/** Knows whether the copy is older than `maxAgeMs`, and logs it once when it becomes so. */
function trackAge(maxAgeMs: number, log: Logger) {
  let freshAt = Number.NEGATIVE_INFINITY;
  // a starting process has the same time to load its first copy
  let staleFrom = performance.now() + maxAgeMs;
  let isKnownStale = false;
  return {
    isStale: () => performance.now() - freshAt > maxAgeMs,
    /** The copy has everything that was in the list at `startedAt`. */
    succeeded(startedAt: number) {
      freshAt = startedAt;
      staleFrom = startedAt + maxAgeMs;
      if (isKnownStale) log.info("revocations are readable again");
      isKnownStale = false;
    },
    failed(error: unknown) {
      if (performance.now() < staleFrom || isKnownStale) return;
      isKnownStale = true;
      log.warn(
        { err: error },
        "cannot read revocations from the users service; credentials are refused with 503 until it works",
      );
    },
  };
}

/** A revocation, its reversal, or a change of roles, as the users service lists it. */
interface Entry {
  kind: "session" | "user" | "roles";
  id: string;
  revoked: boolean;
  expiresAt: string | null;
}

/** A part of the list of entries. */
interface Page {
  entries: Entry[];
  cursor: number;
  isComplete: boolean;
  isRestart: boolean;
}

/** Revoked users, and revoked sessions with the time when their entry may be deleted. */
interface Revoked {
  sessions: Map<string, number>;
  users: Set<string>;
}

/** What this process has read of the list of revocations. */
interface RevocationCopy {
  /** Reads everything that was added to the list since the last update. */
  update(): Promise<void>;
  isRevoked(userId: string, sessionId: string | undefined): boolean;
  /** Increases whenever the permissions of a role may have changed. */
  readonly rolesVersion: number;
}

/** `read` returns the entries after a position. The copy is empty until its first update. */
function createRevocationCopy(read: (after: number) => Promise<Page>): RevocationCopy {
  let revoked = noneRevoked();
  let cursor = 0;
  let rolesVersion = 0;

  return {
    async update() {
      // on a restart of the list, the old copy applies until the new one is complete
      let next = revoked;
      let position = cursor;
      for (let isComplete = false; !isComplete;) {
        const page = await read(position);
        if (page.isRestart) next = noneRevoked();
        for (const entry of page.entries) {
          apply(next, entry);
          if (entry.kind === "roles") rolesVersion += 1;
        }
        ({ cursor: position, isComplete } = page);
      }
      revoked = next;
      cursor = position;
      deleteExpired(revoked);
    },
    isRevoked(userId, sessionId) {
      const ended = sessionId !== undefined && revoked.sessions.has(sessionId);
      return ended || revoked.users.has(userId);
    },
    get rolesVersion() {
      return rolesVersion;
    },
  };
}

function noneRevoked(): Revoked {
  return { sessions: new Map(), users: new Set() };
}

function apply(
  { sessions, users }: Revoked,
  { kind, id, revoked, expiresAt }: Entry,
): void {
  if (kind === "user") {
    if (revoked) users.add(id);
    else users.delete(id);
  }
  if (kind === "session")
    sessions.set(id, expiresAt === null ? Infinity : Date.parse(expiresAt));
}

/** Stops at the first live session: sessions are roughly in the order in which they expire. */
function deleteExpired({ sessions }: Revoked): void {
  const now = Date.now();
  for (const [id, expiresAt] of sessions) {
    if (expiresAt > now) return;
    sessions.delete(id);
  }
}
