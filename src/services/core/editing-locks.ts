import { call, type Fetch } from "../../platform/http/call.ts";
import { BadRequest, Conflict } from "../../platform/http/errors.ts";
import { lockedBy } from "../users/contract-locked.ts";
import { locksContract, type NamedLock } from "../users/contract-locks.ts";

/** What can be shared, and locked by who edits it. */
export type ResourceType = "conversation" | "agent" | "template";

const TIMEOUT_MS = 5_000;

/** Calls of the users service about editing locks. */
export interface EditingLocks {
  /**
   * Refuses a writer while another user holds the editing lock. `token` is that of the writer's
   * lock, if given.
   * @throws ApiError 423 `locked`; Conflict `lock_lost` if `token` is not the newest.
   */
  refuseLocked(
    type: ResourceType,
    id: string,
    userId: string,
    token?: number,
  ): Promise<void>;
  /** The editing lock of a resource, as a user who may edit or read it sees it. */
  lockOf(type: ResourceType, id: string, userId: string): Promise<NamedLock | null>;
}

export function createEditingLocks(users: Fetch): EditingLocks {
  return {
    async refuseLocked(resourceType, resourceId, userId, token) {
      const body = { resourceType, resourceId, userId, token };
      const { mayWrite, lock } = await call(
        users,
        locksContract.checkLock,
        { body },
        { timeoutMs: TIMEOUT_MS },
      );
      if (mayWrite) return;
      if (!lock || lock.userId === userId)
        throw new Conflict(
          "lock_lost",
          "Your lock expired and another was acquired. Read the resource again, acquire the lock, " +
            "and repeat your change.",
        );
      throw lockedBy(lock);
    },
    async lockOf(resourceType, resourceId, userId) {
      const body = { resourceType, resourceId, userId };
      const options = { timeoutMs: TIMEOUT_MS };
      return (await call(users, locksContract.checkLock, { body }, options)).lock;
    },
  };
}

/**
 * The token of the writer's editing lock, from the header X-Lock-Token.
 * @throws BadRequest `lock_token_invalid`.
 */
export function lockTokenOf(request: Request): number | undefined {
  const given = request.headers.get("x-lock-token");
  if (given === null) return undefined;
  if (!/^\d{1,15}$/.test(given))
    throw new BadRequest(
      "lock_token_invalid",
      "X-Lock-Token must be the `token` of the lock that you acquired.",
    );
  return Number(given);
}
