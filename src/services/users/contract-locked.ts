import { ApiError } from "../../platform/http/errors.ts";
import type { Lock } from "./contract-locks.ts";

/** The refusal of a writer while another user holds the editing lock. */
export function lockedBy({ featureId, userId, expiresAt }: Lock): ApiError {
  return new ApiError(
    423,
    "locked",
    `Another user is editing this, until ${expiresAt} at the latest. Try again then.`,
    { params: { expiresAt }, details: { featureId, userId, expiresAt } },
  );
}
