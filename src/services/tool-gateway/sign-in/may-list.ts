import { call, type Fetch } from "../../../platform/http/call.ts";
import { isOperator, type User } from "../../../platform/http/caller.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { knownUsersContract } from "../../users/contract-known-users.ts";

const TIMEOUT_MS = 5_000;

/** Whether a user may connect the account with which the tools of a server are read. */
export async function mayList(guard: Pick<Guard, "allows">, user: User): Promise<boolean> {
  return isOperator(user) && (await guard.allows("tool:administer", user));
}

/**
 * The same long after: who connected it may have been disabled or deleted since, or administer the
 * installation no more.
 */
export function listerCheck(users: Fetch, guard: Pick<Guard, "allows">) {
  return async (userId: string): Promise<boolean> => {
    const { standing } = knownUsersContract;
    const options = { timeoutMs: TIMEOUT_MS };
    const found = await call(users, standing, { params: { userId } }, options);
    const { active, absent, clientId, email, name, roles, isOfOperator } = found;
    if (!active || absent || clientId === null) return false;
    const user = { userId, clientId, email, name, roles, isOfOperator };
    return mayList(guard, { kind: "user", via: "jwt", ...user });
  };
}

/** The email address of a user who is active. */
export function emailCheck(users: Fetch) {
  return async (userId: string): Promise<string | undefined> => {
    const { standing } = knownUsersContract;
    const options = { timeoutMs: TIMEOUT_MS };
    const { active, absent, email } = await call(
      users,
      standing,
      { params: { userId } },
      options,
    );
    return active && !absent && email !== "" ? email : undefined;
  };
}
