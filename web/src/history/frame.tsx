import type { ReactNode } from "react";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useHistoryTexts } from "./texts.ts";

/** What the pages of the history have in common. */
export function Frame({ children }: { children: ReactNode }) {
  const texts = useHistoryTexts();
  const tabs = [
    { to: "/history", label: texts.tabs.all },
    { to: "/trash", label: texts.tabs.trash },
  ];
  return (
    <Page title={texts.title}>
      <div className="mx-auto grid max-w-3xl gap-4">
        <TabLinks label={texts.title} tabs={tabs} />
        {children}
      </div>
    </Page>
  );
}
