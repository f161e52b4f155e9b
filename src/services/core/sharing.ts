import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError, BadRequest, Conflict, Forbidden } from "../../platform/http/errors.ts";
import { groupsContract } from "../users/contract-groups.ts";
import { locksContract } from "../users/contract-locks.ts";
import { type AccessRole, sharingContract } from "../users/contract-sharing.ts";
import { knownUsersContract } from "../users/contract-known-users.ts";

type Type = "conversation" | "agent";
const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;

/** What core asks and tells the users service about resources that may be shared. */
export interface Sharing {
  /** The roles that others' shares give the user, of those resources where there are any. */
  rolesOf(type: Type, ids: readonly string[], userId: string): Promise<Map<string, AccessRole>>;
  /** Says whose a resource is; again when that changes. */
  register(type: Type, id: string, ownerId: string): Promise<void>;
  /** The same for many new ones. */
  registerAll(type: Type, resources: readonly { id: string; ownerId: string }[]): Promise<void>;
  /** Every user in a group or in one within it. */
  membersOf(groupId: string): Promise<ReadonlySet<string>>;
  /**
   * `token`: of the lock that the writer holds, where he says so.
   * @throws ApiError 423 `locked` while another holds the editing lock, Conflict `lock_lost` when
   * `token` is not of the newest one.
   */
  refuseLocked(type: Type, id: string, userId: string, token?: number): Promise<void>;
  /**
   * The roles of a user in whose name something is done; none for a user of another issuer.
   * @throws Forbidden `user_disabled`.
   */
  standingRoles(userId: string): Promise<string[]>;
  /** Says that a resource is gone for good. */
  forget(type: Type, id: string): Promise<void>;
}

export function createSharing(users: Fetch): Sharing {
  return {
    async rolesOf(resourceType, ids, userId) {
      const roles = new Map<string, AccessRole>();
      for (let from = 0; from < ids.length; from += MAX_PER_CALL) {
        const resources = ids
          .slice(from, from + MAX_PER_CALL)
          .map((resourceId) => ({ resourceType, resourceId }));
        const body = { userId, resources };
        const { results } = await call(
          users,
          sharingContract.checkAccessBatch,
          { body },
          { timeoutMs: TIMEOUT_MS },
        );
        for (const { resourceId, role } of results) if (role) roles.set(resourceId, role);
      }
      return roles;
    },
    async register(resourceType, resourceId, ownerId) {
      await call(
        users,
        sharingContract.registerFeature,
        { body: { resourceType, resourceId, ownerId } },
        { timeoutMs: TIMEOUT_MS },
      );
    },
    async registerAll(resourceType, resources) {
      for (let from = 0; from < resources.length; from += MAX_PER_CALL) {
        const some = resources.slice(from, from + MAX_PER_CALL);
        const features = some.map(({ id: resourceId, ownerId }) => ({
          resourceType,
          resourceId,
          ownerId,
        }));
        await call(
          users,
          sharingContract.registerFeatures,
          { body: { features } },
          { timeoutMs: TIMEOUT_MS },
        );
      }
    },
    async standingRoles(userId) {
      const { active, roles } = await call(
        users,
        knownUsersContract.standing,
        { params: { userId } },
        { timeoutMs: TIMEOUT_MS },
      );
      if (!active)
        throw new Forbidden(
          "user_disabled",
          "The user in whose name this was to be done is disabled, deleted or not known.",
        );
      return roles;
    },
    async membersOf(id) {
      const members = new Set<string>();
      for (let page = 1; ; page += 1) {
        const query = { page, limit: 100, effective: "true" };
        const { items, total } = await call(
          users,
          groupsContract.listMembers,
          { params: { id }, query },
          { timeoutMs: TIMEOUT_MS },
        );
        for (const { userId } of items) members.add(userId);
        if (items.length === 0 || page * 100 >= total) return members;
      }
    },
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
          "Your lock ended and another was taken since. Read anew, take the lock, and change again.",
        );
      const { featureId, userId: holder, expiresAt } = lock;
      throw new ApiError(
        423,
        "locked",
        `Another user is editing this, until ${expiresAt} at the latest.`,
        {
          details: { featureId, userId: holder, expiresAt },
        },
      );
    },
    async forget(resourceType, resourceId) {
      await call(
        users,
        sharingContract.deleteFeature,
        { params: { resourceType, resourceId } },
        { timeoutMs: TIMEOUT_MS },
      );
    },
  };
}

/**
 * The token of the editing lock that a writer says he holds.
 * @throws BadRequest `lock_token_invalid`.
 */
export function lockTokenOf(request: Request): number | undefined {
  const given = request.headers.get("x-lock-token");
  if (given === null) return undefined;
  if (!/^\d{1,15}$/.test(given))
    throw new BadRequest(
      "lock_token_invalid",
      "X-Lock-Token is the number that taking the lock gave.",
    );
  return Number(given);
}
