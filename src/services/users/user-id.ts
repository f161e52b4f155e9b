import type { Caller } from "../../platform/http/caller.ts";
import { Unauthorized } from "../../platform/http/errors.ts";

/** The id of the calling user. @throws Unauthorized for services. */
export function userId(caller: Caller): string {
  if (caller.kind !== "user")
    throw new Unauthorized("credentials_required", "Sign in first.");
  return caller.userId;
}
