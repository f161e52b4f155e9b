import { Link, Outlet } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import { useAppliedBranding } from "./branding.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useSyncExternalStore } from "react";
import { sessionClosed, sessionState } from "../api/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { Loading } from "../ui/loading.tsx";
import { Empty } from "../ui/states.tsx";
import { meQuery } from "./queries.ts";
import { useShellTexts } from "./texts.ts";
import { useWhenIdle } from "./use-when-idle.ts";

const SignInForm = lazyPart(() => import("./sign-in-form.tsx"), "SignInForm");

export function Root() {
  useAppliedBranding();
  // it is needed where the server may no longer give it out
  useWhenIdle(() => SignInForm.preload?.());
  return (
    <>
      <Outlet />
      <SessionDialog />
    </>
  );
}

/** Asks to sign in again over the page, when the session has ended. The page stays as it is. */
function SessionDialog() {
  const texts = useShellTexts();
  const queries = useQueryClient();
  // it is known once somebody has signed in
  const me = useQuery({ ...meQuery, enabled: false });
  const isEnded = useSyncExternalStore(sessionState.subscribe, sessionState.isEnded);
  if (!isEnded) return null;
  const isProof = sessionState.asksForProof();
  return (
    <Dialog
      title={isProof ? texts.prove : texts.sessionEnded}
      size="small"
      onClose={sessionClosed}
    >
      <p className="mb-4 text-muted">
        {isProof ? texts.proveHint : texts.sessionEndedHint}
      </p>
      <Suspense fallback={<FormLoading />}>
        <SignInForm
          email={me.data?.email}
          isProof={isProof}
          onSignedIn={async () => {
            const before = me.data?.id;
            const now = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
            // what another person had open is not theirs to see
            if (before && now.id !== before) location.assign("/");
          }}
        />
      </Suspense>
    </Dialog>
  );
}

/**
 * It takes the focus, so that the button that closes the dialog does not: whoever is typing would
 * decline by the next Enter.
 */
function FormLoading() {
  return (
    <div data-first tabIndex={-1} className="outline-none">
      <Loading lines={3} className="px-0" />
    </div>
  );
}

export function NotFound() {
  const texts = useShellTexts();
  return (
    <div className="grid h-full content-center pb-[12vh]">
      <Empty
        icon={Compass}
        title={texts.notFound}
        action={
          <Link to="/" className={buttonLook()}>
            {texts.toStart}
          </Link>
        }
      >
        {texts.notFoundHint}
      </Empty>
    </div>
  );
}
