import { Outlet } from "@tanstack/react-router";
import { TabLinks } from "../../ui/tab-links.tsx";
import { useModelTexts } from "./texts.ts";

const TABS = ["offered", "providers"] as const;

/** Models and the providers that they run at. */
export function ModelsPage() {
  const texts = useModelTexts();
  const tabs = TABS.map((tab) => ({ to: `/admin/models/${tab}`, label: texts.tabs[tab] }));
  return (
    <div className="grid min-w-0 gap-5">
      <TabLinks label={texts.tabsLabel} tabs={tabs} />
      <Outlet />
    </div>
  );
}
