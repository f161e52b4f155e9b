import type { Caller } from "../../platform/http/caller.ts";
import { Unauthorized } from "../../platform/http/errors.ts";
import { isUuid } from "../../platform/uuid.ts";

/** The id of the calling user. @throws Unauthorized for services. */
export function userId(caller: Caller): string {
  if (caller.kind !== "user")
    throw new Unauthorized("credentials_required", "Sign in first.");
  return caller.userId;
}

/** The id of a user of this service; null for users of another issuer. */
export function uuidOrNull(userId: string): string | null {
  return isUuid(userId) ? userId : null;
}
