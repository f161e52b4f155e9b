import { call, type Fetch } from "../../platform/http/call.ts";
import { allItems, type PageQuery } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/http/errors.ts";
import {
  createResourceRegister,
  type ResourceRegister,
} from "../users/contract-register.ts";
import { createEditingLocks, type EditingLocks } from "./editing-locks.ts";
import { groupsContract } from "../users/contract-groups.ts";

const TIMEOUT_MS = 5_000;

/** Calls of the users service about resources that can be shared, their locks, and groups. */
export type Sharing = Groups & EditingLocks & ResourceRegister;

export function createSharing(users: Fetch): Sharing {
  return {
    ...createGroups(users),
    ...createEditingLocks(users),
    ...createResourceRegister(users),
  };
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
