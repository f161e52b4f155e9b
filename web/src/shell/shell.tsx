import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { loadMenus } from "../ui/menu.tsx";
import { Notices } from "../ui/notices.tsx";
import { useKeys } from "./keys.ts";
import { NoticeBar } from "./notice-bar.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Rail } from "./rail.tsx";
import { useShellTexts } from "./texts.ts";
import { useLiveChanges } from "./live-changes.ts";
import { useWhenIdle } from "./use-when-idle.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const KeysDialog = lazy(async () => ({
  default: (await import("./keys-dialog.tsx")).KeysDialog,
}));
const RailDrawer = lazy(async () => ({
  default: (await import("./rail-drawer.tsx")).RailDrawer,
}));

type Open = "palette" | "keys" | "rail" | undefined;

/** The frame around every area: the rail, what opens over the page, and the shortcuts. */
export function Shell() {
  const texts = useShellTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const rail = {
    onSearch: () => setOpen("palette"),
    onShowKeys: () => setOpen("keys"),
  };
  useKeys({
    "mod+k": () => setOpen("palette"),
    "mod+shift+o": () => void navigate({ to: "/" }),
    "?": () => setOpen("keys"),
  });
  useLiveChanges();
  useWhenIdle(() => Promise.all([loadMenus(), import("./palette.tsx")]));
  useCloseOnNavigation(close);
  return (
    <div
      className={
        "grid h-dvh grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[16rem_minmax(0,1fr)] " +
        "print:block print:h-auto" // on paper the rail has no column
      }
    >
      <a
        href="#main"
        className={
          "sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md " +
          "focus:bg-raised focus:px-3 focus:py-2"
        }
      >
        {texts.skip}
      </a>
      <div className="row-span-2 hidden border-r border-hairline md:block print:hidden">
        <Rail {...rail} />
      </div>
      <div className="col-start-1 md:col-start-2 print:hidden">
        <OfflineBar />
        <NoticeBar />
      </div>
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 outline-none">
        <div className="absolute top-1.5 left-2 z-20 md:hidden print:hidden">
          <IconButton icon={MenuIcon} label={texts.menu} onClick={() => setOpen("rail")} />
        </div>
        <Outlet />
      </main>
      <Suspense fallback={null}>
        {open === "palette" && <Palette onClose={close} />}
        {open === "keys" && <KeysDialog onClose={close} />}
        {open === "rail" && <RailDrawer {...rail} onClose={close} />}
      </Suspense>
      <Notices />
    </div>
  );
}

function useCloseOnNavigation(close: () => void): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path]);
}
