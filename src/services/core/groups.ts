import { call, type Fetch } from "../../platform/http/call.ts";
import { groupsContract } from "../users/contract-groups.ts";

const TIMEOUT_MS = 5_000;
const PAGE_SIZE = 100;

/** Calls of the users service about groups. */
export interface Groups {
  /** Every user in a group or in groups nested in it. */
  membersOf(groupId: string): Promise<ReadonlySet<string>>;
  /** Names of groups by id; deleted groups are missing. */
  groupNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createGroups(users: Fetch): Groups {
  return {
    async membersOf(id) {
      const members = new Set<string>();
      for (let page = 1; ; page += 1) {
        const query = { page, limit: PAGE_SIZE, effective: "true" };
        const { items, total } = await call(
          users,
          groupsContract.listMembers,
          { params: { id }, query },
          { timeoutMs: TIMEOUT_MS },
        );
        for (const { userId } of items) members.add(userId);
        if (items.length === 0 || page * PAGE_SIZE >= total) return members;
      }
    },
    async groupNames(ids) {
      const names = new Map<string, string>();
      const find = async (id: string) => {
        const options = { timeoutMs: TIMEOUT_MS };
        const { name } = await call(
          users,
          groupsContract.getGroup,
          { params: { id } },
          options,
        );
        names.set(id, name);
      };
      // a deleted group has no name
      await Promise.allSettled([...new Set(ids)].map(find));
      return names;
    },
  };
}
