import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import type { RouteOk } from "../../platform/http/route.ts";
import { inGroups } from "../../platform/in-groups.ts";
import { knownUsersContract, MAX_STANDINGS } from "../users/contract-known-users.ts";

const TIMEOUT_MS = 5_000;

/**
 * Users for whom something runs without a token. Those of another issuer have the roles of their
 * last token, and must have sent one lately.
 */
export interface ActingUsers {
  /** @throws Forbidden `user_disabled`, `user_absent`. */
  find(userId: string): Promise<User>;
  /**
   * Many of them, with the refusal of those for whom nothing may run. Those of whom nothing is
   * known now are left out.
   */
  findAll(userIds: readonly string[]): Promise<Map<string, User | Forbidden>>;
}

export function createActingUsers(users: Fetch): ActingUsers {
  return {
    async find(userId) {
      const { standing } = knownUsersContract;
      const options = { timeoutMs: TIMEOUT_MS };
      const answer = await call(users, standing, { params: { userId } }, options);
      const user = toActing(userId, answer);
      if (user instanceof Forbidden) throw user;
      return user;
    },
    async findAll(userIds) {
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
