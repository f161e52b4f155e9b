import { locksContract } from "../../../../src/services/users/contract-locks.ts";
import { call } from "../../api/call.ts";

/** Ends the lock of any user of the organisation. */
export function forceRelease(featureId: string) {
  return call(locksContract.forceRelease, { params: { featureId } });
}
