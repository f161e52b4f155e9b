import { Outlet } from "@tanstack/react-router";
import { TabLinks } from "../../ui/tab-links.tsx";
import { useToolTexts } from "./texts.ts";

const TABS = ["servers", "list", "changed"] as const;

/** Tool servers, their tools, and those that changed. */
export function ToolsPage() {
  const texts = useToolTexts();
  const tabs = TABS.map((tab) => ({ to: `/admin/tools/${tab}`, label: texts.tabs[tab] }));
  return (
    <div className="grid min-w-0 gap-5">
      <TabLinks label={texts.tabsLabel} tabs={tabs} />
      <Outlet />
    </div>
  );
}
