import {
  Outlet,
  useNavigate,
  useRouteContext,
  useRouterState,
} from "@tanstack/react-router";
import { Menu as MenuIcon, WifiOff, ShieldAlert } from "lucide-react";
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isServerAway, onServerAway } from "../api/reachable.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import { Menu } from "../ui/menu.tsx";
import { Notices } from "../ui/notices.tsx";
import { useKeys } from "./keys.ts";
import { useAppliedPreferences } from "./preferences.ts";
import { NoticeBar } from "./notice-bar.tsx";
import { Rail } from "./rail.tsx";
import { TypedAhead } from "./typed-ahead.tsx";
import { useShellTexts } from "./texts.ts";
import { useLiveChanges } from "./live-changes.ts";
import { useWhenIdle } from "./use-when-idle.ts";
import { useQuery } from "@tanstack/react-query";
import { formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { accountNoticesQuery, readAccountNotices } from "./queries.ts";
import { useChange } from "./use-change.ts";
import { useKept } from "./use-kept.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { useIsRoomTaken } from "../ui/room.ts";

const KeysDialog = lazyPart(() => import("./keys-dialog.tsx"), "KeysDialog");
const RailDrawer = lazyPart(() => import("./rail-drawer.tsx"), "RailDrawer");

type Open = "palette" | "keys" | "rail" | undefined;

/** The frame around every area: the rail, what opens over the page, and the shortcuts. */
export function Shell() {
  const texts = useShellTexts();
  const navigate = useNavigate();
  const { Palette } = useRouteContext({ from: "__root__" });
  const [open, setOpen] = useState<Open>();
  const fold = useFold();
  const close = () => setOpen(undefined);
  const typed = useRef("");
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
  useAppliedPreferences();
  useWhenIdle(() => Promise.all([Menu.preload(), Palette.preload?.()]));
  useCloseOnNavigation(close);
  return (
    <div
      className={
        "grid h-dvh grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[auto_minmax(0,1fr)] " +
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
      <div
        className={join(
          "row-span-2 hidden border-r border-hairline md:block print:hidden",
          fold.isFolded ? "w-14" : "w-64",
        )}
      >
        <Rail {...rail} {...fold} />
      </div>
      <div className="col-start-1 md:col-start-2 print:hidden">
        <OfflineBar />
        <NoticeBar />
        <AccountNotices />
      </div>
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 outline-none">
        <div className="absolute top-1.5 left-2 z-20 rounded-md bg-page md:hidden print:hidden">
          <IconButton icon={MenuIcon} label={texts.menu} onClick={() => setOpen("rail")} />
        </div>
        <Outlet />
      </main>
      {open === "palette" && (
        <Suspense fallback={<TypedAhead typed={typed} />}>
          <Palette typed={typed} onClose={close} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {open === "keys" && <KeysDialog onClose={close} />}
        {open === "rail" && <RailDrawer {...rail} onClose={close} />}
      </Suspense>
      <Notices />
    </div>
  );
}

/**
 * Whether the rail is folded: as the person left it, and while something beside the page needs its
 * room, unless they open it meanwhile.
 */
function useFold() {
  const [isKept, keep] = useKept("folded");
  const [isOpened, setOpened] = useState(false);
  const isAtCanvas = useRouterState({
    select: ({ location }) => /^\/c\/[^/]+\/canvas\//.test(location.pathname),
  });
  const isTaken = useIsRoomTaken() || isAtCanvas;
  useEffect(() => setOpened(false), [isTaken]);
  const isFolded = isTaken ? !isOpened : isKept;
  const onFold = () => {
    if (isTaken) setOpened(isFolded);
    // what folded by itself comes back by itself
    if (isFolded || !isTaken) keep(!isFolded);
  };
  return { isFolded, onFold };
}

function useCloseOnNavigation(close: () => void): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path]);
}

/** Reports that there is no network, or no server, and what still works. */
function OfflineBar() {
  const texts = useShellTexts();
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  const isAway = useSyncExternalStore(onServerAway, isServerAway);
  return (
    <div role="status">
      {(!isOnline || isAway) && (
        <p className="flex items-center gap-2 border-b border-hairline bg-mark px-4 py-2 text-ink">
          <WifiOff aria-hidden size={16} />
          {isOnline ? texts.serverAway : texts.offline}
        </p>
      )}
    </div>
  );
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Tells what administrators did to the account, until the person has read it. */
function AccountNotices() {
  const texts = useShellTexts();
  const { data } = useQuery(accountNoticesQuery);
  const read = useChange({
    run: readAccountNotices,
    keys: [accountNoticesQuery.queryKey],
  });
  const unread = data?.items.filter(({ isRead }) => !isRead) ?? [];
  const [notice] = unread;
  return (
    <div role="status">
      {notice && (
        <p className="flex flex-wrap items-center gap-2 border-b border-hairline bg-mark px-4 py-2 text-ink">
          <ShieldAlert aria-hidden size={16} className="shrink-0" />
          <bdi className="min-w-0 flex-1 wrap-anywhere">
            {texts.accountNotice(notice.action, notice.actorName, formatTime(notice.at))}{" "}
            {notice.fields.length > 0 && texts.accountFields(notice.fields)}{" "}
            {unread.length > 1 && texts.accountNoticesMore(unread.length - 1)}
          </bdi>
          <Button busy={read.isPending} onClick={() => read.mutate()}>
            {texts.understood}
          </Button>
        </p>
      )}
    </div>
  );
}
