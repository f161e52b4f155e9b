import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError, BadRequest, Conflict, Forbidden } from "../../platform/http/errors.ts";
import { groupsContract } from "../users/contract-groups.ts";
import { type Lock, locksContract } from "../users/contract-locks.ts";
import { type AccessRole, sharingContract } from "../users/contract-sharing.ts";
import { knownUsersContract } from "../users/contract-known-users.ts";

type Type = "conversation" | "agent" | "template";
const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;
const PAGE_SIZE = 100;
const MAX_SHARED_PAGES = 10;

/** Calls of the users service about resources that can be shared. */
export interface Sharing {
  /** The user's roles for resources. Resources without access are missing. */
  rolesOf(type: Type, ids: readonly string[], userId: string): Promise<Map<string, AccessRole>>;
  /** The ids of resources that others share with the user, at most 1,000. */
  listShared(type: Type, userId: string): Promise<string[]>;
  /** Registers a resource with its owner, or changes its owner. */
  register(type: Type, id: string, ownerId: string): Promise<void>;
  /** Registers many resources. */
  registerAll(type: Type, resources: readonly { id: string; ownerId: string }[]): Promise<void>;
  /** Every user in a group or in groups nested in it. */
  membersOf(groupId: string): Promise<ReadonlySet<string>>;
  /** Names of groups by id; those that are gone are missing. */
  groupNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Refuses a writer while another user holds the editing lock. `token` is that of the writer's
   * lock, if given.
   * @throws ApiError 423 `locked`; Conflict `lock_lost` if `token` is not the newest.
   */
  refuseLocked(type: Type, id: string, userId: string, token?: number): Promise<void>;
  /** The editing lock of a resource, as a user who may edit or read it sees it. */
  lockOf(type: Type, id: string, userId: string): Promise<Lock | null>;
  /**
   * The roles of a user for whom a service acts; none for users of another issuer.
   * @throws Forbidden `user_disabled`.
   */
  standingRoles(userId: string): Promise<string[]>;
  /** Deletes the registration of a resource that was deleted. */
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
    async listShared(resourceType, userId) {
      const ids: string[] = [];
      for (let page = 1; page <= MAX_SHARED_PAGES; page += 1) {
        const request = { params: { userId }, query: { resourceType, page, limit: PAGE_SIZE } };
        const options = { timeoutMs: TIMEOUT_MS };
        const { items } = await call(users, sharingContract.sharedWith, request, options);
        ids.push(...items.map(({ resourceId }) => resourceId));
        if (items.length < PAGE_SIZE) break;
      }
      return ids;
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
          "The user for whom this was requested is disabled, deleted or unknown.",
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
    async groupNames(ids) {
      const names = new Map<string, string>();
      const find = async (id: string) => {
        const options = { timeoutMs: TIMEOUT_MS };
        const { name } = await call(users, groupsContract.getGroup, { params: { id } }, options);
        names.set(id, name);
      };
      // a group that is gone has no name
      await Promise.allSettled([...new Set(ids)].map(find));
      return names;
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
          "Your lock expired and another was acquired. Read the resource again, acquire the lock, " +
            "and repeat your change.",
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
    async lockOf(resourceType, resourceId, userId) {
      const body = { resourceType, resourceId, userId };
      const options = { timeoutMs: TIMEOUT_MS };
      return (await call(users, locksContract.checkLock, { body }, options)).lock;
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
