import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { knownUsersContract } from "../users/contract-known-users.ts";

/** The permissions that a run needs. */
const REQUIRED_PERMISSIONS = [
  "automation:run",
  "agent:use",
  "conversation:create",
] as const;

/** @throws Forbidden if automations may not act for the user now. */
export type RefuseInactive = (user: Pick<User, "userId" | "clientId">) => Promise<void>;

/**
 * Checks a user before each piece of background work: the account may be disabled or deleted, or
 * its roles changed, long after a schedule or source was created. Users of another issuer have the
 * roles of their last token, and must have sent one lately.
 */
export function createRefuseInactive(deps: {
  users: Fetch;
  guard: Pick<Guard, "check">;
}): RefuseInactive {
  return async ({ userId, clientId }) => {
    const { active, absent, roles } = await call(
      deps.users,
      knownUsersContract.standing,
      { params: { userId } },
      { timeoutMs: 5_000 },
    );
    if (!active)
      throw new Forbidden(
        "user_disabled",
        "The account that this automation acts for is disabled or deleted. Ask an administrator.",
      );
    if (absent)
      throw new Forbidden(
        "user_absent",
        "The account that this automation acts for has not been used for too long. Sign in once.",
      );
    const user: User = {
      kind: "user",
      userId,
      clientId,
      email: "",
      name: "",
      roles,
      via: "jwt",
    };
    for (const permission of REQUIRED_PERMISSIONS) await deps.guard.check(permission, user);
  };
}
