import type { Caller } from "../../platform/http/caller.ts";
import { Unauthorized } from "../../platform/http/errors.ts";

/** The user who calls. @throws Unauthorized for anybody else. */
export function userId(caller: Caller): string {
  if (caller.kind !== "user") throw new Unauthorized("credentials_required", "Sign in first.");
  return caller.userId;
}
