import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { sessionClosed, sessionState } from "../api/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { meQuery } from "./queries.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { useShellTexts } from "./texts.ts";

/** Asks to sign in again over the page, when the session has ended. The page stays as it is. */
export function SessionDialog() {
  const texts = useShellTexts();
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const isEnded = useSyncExternalStore(sessionState.subscribe, sessionState.isEnded);
  if (!isEnded) return null;
  return (
    <Dialog title={texts.sessionEnded} size="small" onClose={sessionClosed}>
      <p className="mb-4 text-muted">{texts.sessionEndedHint}</p>
      <SignInForm
        email={me.data?.email}
        onSignedIn={async () => {
          const before = me.data?.id;
          const now = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
          // what another person had open is not theirs to see
          if (before && now.id !== before) location.assign("/");
        }}
      />
    </Dialog>
  );
}
