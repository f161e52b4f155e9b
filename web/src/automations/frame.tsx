import type { ReactNode } from "react";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useAutomationTexts } from "./texts.ts";

/** The frame that all lists of automations share. */
export function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const texts = useAutomationTexts();
  const tabs = [
    { to: "/automations", label: texts.tabs.rules, isExact: true },
    { to: "/automations/runs", label: texts.tabs.runs },
    { to: "/automations/sources", label: texts.tabs.sources },
    { to: "/automations/schedules", label: texts.tabs.schedules },
  ];
  return (
    <Page title={texts.title} actions={actions}>
      <div className="grid grid-cols-1 gap-4">
        <TabLinks label={texts.title} tabs={tabs} />
        {children}
      </div>
    </Page>
  );
}
