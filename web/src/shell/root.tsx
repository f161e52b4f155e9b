import { Outlet } from "@tanstack/react-router";
import { useAppliedBranding } from "./branding.ts";
import { SessionDialog } from "./session-dialog.tsx";

export function Root() {
  useAppliedBranding();
  return (
    <>
      <Outlet />
      <SessionDialog />
    </>
  );
}
