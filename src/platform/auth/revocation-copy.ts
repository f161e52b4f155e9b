/** A revocation, its reversal, or a change of roles, as the users service lists it. */
interface Entry {
  kind: "session" | "user" | "roles";
  id: string;
  revoked: boolean;
  expiresAt: string | null;
}

/** A part of the list of entries. */
export interface Page {
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
export interface RevocationCopy {
  /** Reads everything that was added to the list since the last update. */
  update(): Promise<void>;
  isRevoked(userId: string, sessionId: string | undefined): boolean;
  /** Increases whenever the permissions of a role may have changed. */
  readonly rolesVersion: number;
}

/** `read` returns the entries after a position. The copy is empty until its first update. */
export function createRevocationCopy(
  read: (after: number) => Promise<Page>,
): RevocationCopy {
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
