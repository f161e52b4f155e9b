import { createRevocations, type Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { revocationsContract } from "../services/users/contract-revocations.ts";

/**
 * This process's copy of revoked tokens and users, read from the users service. Without a users
 * service it accepts tokens until they expire, and logs a warning.
 */
export function openRevocations(
  users: (() => Fetch) | undefined,
  log: Logger,
): Revocations {
  if (users === undefined) {
    log.warn(
      "USER_SERVICE_URL is not set: this process accepts revoked tokens until they expire",
    );
    return NO_REVOCATIONS;
  }
  const read = (after: number) =>
    call(
      users(),
      revocationsContract.listRevocations,
      { query: { after } },
      { timeoutMs: 5_000 },
    );
  return createRevocations({ read, log });
}

const NO_REVOCATIONS: Revocations = {
  check() {},
  rolesVersion: 0,
  async refresh() {},
  async ping() {},
  async close() {},
};
