import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { allItems, type PageQuery } from "../../platform/http/page.ts";
import type { RouteOk } from "../../platform/http/route.ts";
import { Forbidden, ApiError } from "../../platform/http/errors.ts";
import { inGroups } from "../../platform/in-groups.ts";
import {
  createResourceRegister,
  type ResourceRegister,
} from "../users/contract-register.ts";
import { knownUsersContract, MAX_STANDINGS } from "../users/contract-known-users.ts";
import { createEditingLocks, type EditingLocks } from "./editing-locks.ts";
import { groupsContract } from "../users/contract-groups.ts";

const TIMEOUT_MS = 5_000;

/** Calls of the users service about resources that can be shared, their locks, and groups. */
export interface Sharing extends Groups, EditingLocks, ResourceRegister {
  /**
   * A user for whom something runs without a token. Users of another issuer have the roles of their
   * last token, and must have sent one lately.
   * @throws Forbidden `user_disabled`, `user_absent`.
   */
  actingUser(userId: string): Promise<User>;
  /**
   * The same of many users, with the refusal of those for whom nothing may run. Those of whom
   * nothing is known now are left out.
   */
  actingUsers(userIds: readonly string[]): Promise<Map<string, User | Forbidden>>;
}

export function createSharing(users: Fetch): Sharing {
  return {
    ...createGroups(users),
    ...createEditingLocks(users),
    ...createResourceRegister(users),
    async actingUser(userId) {
      const { standing } = knownUsersContract;
      const options = { timeoutMs: TIMEOUT_MS };
      const answer = await call(users, standing, { params: { userId } }, options);
      const user = toActing(userId, answer);
      if (user instanceof Forbidden) throw user;
      return user;
    },
    async actingUsers(userIds) {
      const acting = new Map<string, User | Forbidden>();
      for (const ids of inGroups(userIds, MAX_STANDINGS)) {
        const standings = await readStandings(users, ids);
        for (const [at, standing] of standings.entries()) {
          const userId = ids[at];
          if (userId !== undefined) acting.set(userId, toActing(userId, standing));
        }
      }
      return acting;
    },
  };
}

type Standing = RouteOk<typeof knownUsersContract.standing>;

/** Of none while the users service cannot be asked. */
async function readStandings(users: Fetch, userIds: string[]): Promise<Standing[]> {
  const { standings } = knownUsersContract;
  const options = { timeoutMs: TIMEOUT_MS };
  try {
    return (await call(users, standings, { body: { userIds } }, options)).standings;
  } catch {
    // its outage is logged where it is noticed; the next check asks again
    return [];
  }
}

function toActing(
  userId: string,
  { active, absent, clientId, email, name, roles }: Standing,
): User | Forbidden {
  if (!active || clientId === null)
    return new Forbidden(
      "user_disabled",
      "The user for whom this was requested is disabled, deleted or unknown. Ask " +
        "an administrator.",
    );
  if (absent)
    return new Forbidden(
      "user_absent",
      "The account of this user has not been used for too long. Sign in once.",
    );
  return { kind: "user", via: "jwt", userId, clientId, email, name, roles };
}

/** Calls of the users service about groups. */
interface Groups {
  /** @throws NotFound `group_not_found`. */
  requireGroup(id: string): Promise<void>;
  /** Every user in a group or in groups nested in it; nobody in a deleted one. */
  membersOf(groupId: string): Promise<ReadonlySet<string>>;
  /** Names of groups by id; deleted groups are missing. */
  groupNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

function createGroups(users: Fetch): Groups {
  const readGroup = (id: string) =>
    call(users, groupsContract.getGroup, { params: { id } }, { timeoutMs: TIMEOUT_MS });
  return {
    async requireGroup(id) {
      await readGroup(id);
    },
    async membersOf(id) {
      const members = new Set<string>();
      const readOne = (page: PageQuery) =>
        call(
          users,
          groupsContract.listMembers,
          { params: { id }, query: { ...page, effective: "true" } },
          { timeoutMs: TIMEOUT_MS },
        ).catch(noneOfDeleted);
      for await (const { userId } of allItems(readOne)) members.add(userId);
      return members;
    },
    async groupNames(ids) {
      const names = new Map<string, string>();
      const find = async (id: string) => names.set(id, (await readGroup(id)).name);
      // a deleted group has no name
      await Promise.allSettled([...new Set(ids)].map(find));
      return names;
    },
  };
}

function noneOfDeleted(error: unknown): { items: { userId: string }[]; total: number } {
  if (error instanceof ApiError && error.status === 404) return { items: [], total: 0 };
  throw error;
}
