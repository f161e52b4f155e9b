import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { knownUsersContract } from "../users/contract-known-users.ts";

/** What a run does in the user's name. */
const NEEDED = ["automation:run", "agent:use", "conversation:create"] as const;

/** @throws Forbidden when automations may not act in the user's name, now. */
export type RefuseInactive = (user: Pick<User, "userId" | "clientId">) => Promise<void>;

/**
 * Asked before each piece of background work: an account may be disabled or deleted, or its roles
 * changed, long after a schedule or a source was made. Users of another issuer have the
 * permissions of the default role: their roles stand in their tokens alone.
 */
export function createRefuseInactive(deps: {
  users: Fetch;
  guard: Pick<Guard, "check">;
}): RefuseInactive {
  return async ({ userId, clientId }) => {
    const { active, roles } = await call(
      deps.users,
      knownUsersContract.standing,
      { params: { userId } },
      { timeoutMs: 5_000 },
    );
    if (!active)
      throw new Forbidden(
        "user_disabled",
        "The account in whose name this was to be done is disabled or deleted.",
      );
    const user: User = { kind: "user", userId, clientId, email: "", name: "", roles, via: "jwt" };
    for (const permission of NEEDED) await deps.guard.check(permission, user);
  };
}
