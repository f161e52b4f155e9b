import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { LimitReached } from "./limit-guesses.ts";
import { findForSignIn } from "./users-store.ts";

/**
 * Writes to the audit log of the account's tenant that passwords are being guessed. What was typed
 * as an unknown account is left out.
 */
export function recordGuessing(db: Database): LimitReached {
  return async ({ limit, account, network }) => {
    const found = await findForSignIn(db, account);
    await recordEvent(db, "anonymous", {
      action: "sign_in.limited",
      resourceType: "user",
      resourceId: found?.user.id ?? "unknown",
      clientId: found?.user.clientId,
      details: { limit, network },
    });
  };
}
