import { Link, useLocation } from "@tanstack/react-router";
import { useDocumentPart } from "./document-title.ts";
import { TabStrip } from "./tab-strip.tsx";

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
