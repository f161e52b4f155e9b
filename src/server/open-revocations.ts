import { createRevocations, type Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { revocationsContract } from "../services/users/contract-revocations.ts";

/**
 * This process's copy of what was revoked, read from the users service. A service that has none
 * next to it knows of no revocation: the tokens that it takes end when they expire, and the log
 * says so.
 */
export function openRevocations(users: (() => Fetch) | undefined, log: Logger): Revocations {
  if (users === undefined) {
    log.warn(
      "USER_SERVICE_URL is not set: tokens are taken here until they expire, whether or not they were revoked.",
    );
    return NONE;
  }
  const read = (after: number) =>
    call(users(), revocationsContract.listRevocations, { query: { after } }, { timeoutMs: 5_000 });
  return createRevocations({ read, log });
}

const NONE: Revocations = {
  check() {},
  rolesVersion: 0,
  async refresh() {},
  async ping() {},
  async close() {},
};
