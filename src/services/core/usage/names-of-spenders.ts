import type { Database } from "../../../platform/db/database.ts";
import type { FindNames } from "../user-names.ts";
import { agentNames } from "./describe-budgets.ts";

export interface NamesDeps {
  db: Database;
  findNames: FindNames;
}

/** Finds the names of users, groups or agents by id. Others have none. */
export function createNamesOf({ db, findNames }: NamesDeps) {
  return async (
    kind: string,
    ids: readonly string[],
    clientId: string,
  ): Promise<ReadonlyMap<string, string>> => {
    if (kind === "user" || kind === "group") return findNames(ids, clientId);
    if (kind === "agent") return agentNames(db, ids, clientId);
    return new Map();
  };
}
