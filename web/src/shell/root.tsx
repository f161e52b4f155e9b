import { Outlet } from "@tanstack/react-router";
import { SessionDialog } from "./session-dialog.tsx";

export function Root() {
  return (
    <>
      <Outlet />
      <SessionDialog />
    </>
  );
}
