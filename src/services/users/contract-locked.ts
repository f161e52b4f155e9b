import { ApiError } from "../../platform/http/errors.ts";
import type { NamedLock } from "./contract-locks.ts";

/** The refusal of a writer while another user holds the editing lock. */
export function lockedBy({ featureId, userId, userName, expiresAt }: NamedLock): ApiError {
  const name = userName ?? "";
  return new ApiError(
    423,
    "locked",
    `${name || "Another user"} is editing this, until ${expiresAt} at the latest. Try again then.`,
    { params: { name, expiresAt }, details: { featureId, userId, expiresAt } },
  );
}
