import { Link, useLocation, useRouterState } from "@tanstack/react-router";
import { useDocumentPart } from "./document-title.ts";
import { type ReactNode, useEffect, useRef } from "react";

export const TABS_LOOK = "flex gap-5 overflow-x-auto border-b border-hairline";
export const TAB_LOOK =
  "-mb-px min-h-9 shrink-0 border-b-2 border-transparent px-0.5 py-2 font-medium text-muted " +
  "hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink " +
  "pointer-coarse:min-h-11";

interface TabLinksProps {
  /** What the tabs are the parts of. */
  label: string;
  /** `isExact`: the addresses below it belong to other tabs. */
  tabs: readonly Tab[];
}

interface Tab {
  to: string;
  label: string;
  isExact?: boolean;
}

/** Links to the parts of an area; the open one is marked. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const { pathname } = useLocation();
  useDocumentPart(tabs.find((tab) => isOpen(tab, pathname))?.label ?? "");
  return (
    <TabStrip label={label} className={TABS_LOOK}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          activeOptions={{ exact: tab.isExact ?? false, includeSearch: false }}
          className={TAB_LOOK}
        >
          {tab.label}
        </Link>
      ))}
    </TabStrip>
  );
}

function isOpen({ to, isExact = false }: Tab, pathname: string): boolean {
  return pathname === to || (!isExact && pathname.startsWith(`${to}/`));
}

interface TabStripProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** Links beside each other that scroll where the screen is narrow: the open one is in view. */
function TabStrip({ label, className, children }: TabStripProps) {
  const ref = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    const strip = ref.current;
    const open = strip?.querySelector<HTMLElement>('[data-status="active"]');
    if (!strip || !open) return;
    const { left, right } = open.getBoundingClientRect();
    const shown = strip.getBoundingClientRect();
    if (left < shown.left) strip.scrollLeft += left - shown.left;
    else if (right > shown.right) strip.scrollLeft += right - shown.right;
  }, [path]);
  return (
    <nav ref={ref} aria-label={label} className={className}>
      {children}
    </nav>
  );
}
