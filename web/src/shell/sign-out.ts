import { sessionClosed } from "../api/session.ts";
import { deleteDrafts } from "./drafts.ts";
import { signOut } from "./queries.ts";

/** Ends the session, and removes from this browser what the person typed. */
export function useSignOut(): () => void {
  return () => {
    sessionClosed();
    void signOut()
      .catch(() => {}) // the session may have ended already
      .then(deleteDrafts)
      .then(() => location.assign("/sign-in"));
  };
}
