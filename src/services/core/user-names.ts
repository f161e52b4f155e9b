import { call, type Fetch } from "../../platform/http/call.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { inGroups } from "../../platform/in-groups.ts";
import { personalContract } from "../users/contract-personal.ts";

const TIMEOUT_MS = 5_000;
const MAX_IDS_PER_CALL = 45;

/** Names by user id. Users outside the tenant, and unknown users, are missing. */
export type FindNames = (
  ids: readonly string[],
  clientId: string,
) => Promise<ReadonlyMap<string, string>>;

/** Reads names from the users service. If it fails, the names are missing. */
export function createFindNames(users: Fetch, log: Logger): FindNames {
  return async (ids, clientId) => {
    const names = new Map<string, string>();
    // ids travel as a comma-separated list
    const unique = [...new Set(ids)].filter((id) => id !== "" && !id.includes(","));
    try {
      for (const some of inGroups(unique, MAX_IDS_PER_CALL)) {
        const query = { ids: some.join(","), clientId };
        const options = { timeoutMs: TIMEOUT_MS };
        const { items } = await call(users, personalContract.userInfo, { query }, options);
        for (const { id, name } of items) names.set(id, name);
      }
    } catch (error) {
      log.warn({ err: error }, "names of users could not be read");
    }
    return names;
  };
}
