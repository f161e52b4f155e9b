import { Outlet } from "@tanstack/react-router";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { TABS } from "./tabs.ts";
import { useSettingsTexts } from "./texts.ts";

/** The user's account, divided into parts. */
export function SettingsPage() {
  const texts = useSettingsTexts();
  const tabs = TABS.map((tab) => ({ to: `/settings/${tab}`, label: texts.tabs[tab] }));
  return (
    <Page title={texts.title}>
      <div>
        <TabLinks label={texts.title} tabs={tabs} />
        <div className="grid gap-10 pt-6">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
