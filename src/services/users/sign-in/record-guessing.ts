import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { OnLimitReached } from "./limit-guesses.ts";
import { findForSignIn } from "../accounts/users-store.ts";

/**
 * Records in the audit log of the account's tenant that someone is guessing passwords. The name of
 * an unknown account is not recorded, because it may be a password.
 */
export function recordGuessing(db: Database): OnLimitReached {
  return async ({ limit, account, network }) => {
    const match = await findForSignIn(db, account);
    await recordEvent(db, "anonymous", {
      action: "sign_in.limited",
      resourceType: "user",
      resourceId: match?.user.id ?? "unknown",
      clientId: match?.user.clientId,
      details: { limit, network },
    });
  };
}
