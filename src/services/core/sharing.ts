import { call, type Fetch } from "../../platform/http/call.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import { type AccessRole, sharingContract } from "../users/contract-sharing.ts";
import { knownUsersContract } from "../users/contract-known-users.ts";
import {
  createEditingLocks,
  type EditingLocks,
  type ResourceType,
} from "./editing-locks.ts";
import { createGroups, type Groups } from "./groups.ts";
import { createRegistrations, type Registrations } from "./registrations.ts";

const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;
const PAGE_SIZE = 100;
const MAX_SHARED_PAGES = 10;

/** Calls of the users service about resources that can be shared, their locks, and groups. */
export interface Sharing extends Groups, EditingLocks, Registrations {
  /** The user's roles for resources. Resources without access are missing. */
  rolesOf(
    type: ResourceType,
    ids: readonly string[],
    userId: string,
  ): Promise<Map<string, AccessRole>>;
  /** The ids of resources that others share with the user, at most 1,000. */
  listShared(type: ResourceType, userId: string): Promise<string[]>;
  /**
   * The roles of a user for whom a service acts; none for users of another issuer.
   * @throws Forbidden `user_disabled`.
   */
  standingRoles(userId: string): Promise<string[]>;
}

export function createSharing(users: Fetch): Sharing {
  return {
    ...createGroups(users),
    ...createEditingLocks(users),
    ...createRegistrations(users),
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
        const request = {
          params: { userId },
          query: { resourceType, page, limit: PAGE_SIZE },
        };
        const options = { timeoutMs: TIMEOUT_MS };
        const { items } = await call(users, sharingContract.sharedWith, request, options);
        ids.push(...items.map(({ resourceId }) => resourceId));
        if (items.length < PAGE_SIZE) break;
      }
      return ids;
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
  };
}
