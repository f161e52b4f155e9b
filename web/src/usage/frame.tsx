import { Outlet } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useUsageTexts } from "./texts.ts";

/** What models were used for, and the budgets that limit it. */
export function UsageFrame() {
  const texts = useUsageTexts();
  const mayLimit = usePermission("budget:administer");
  const tabs = [
    { to: "/usage", label: texts.tabs.report, isExact: true },
    ...(mayLimit ? [{ to: "/usage/budgets", label: texts.tabs.budgets }] : []),
  ];
  return (
    <Page title={texts.title}>
      <div className="grid gap-6">
        {tabs.length > 1 && <TabLinks label={texts.title} tabs={tabs} />}
        <Outlet />
      </div>
    </Page>
  );
}
