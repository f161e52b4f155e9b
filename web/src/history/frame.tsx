import type { ReactNode } from "react";
import { usePermission } from "../shell/queries.ts";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useHistoryTexts } from "./texts.ts";

/** The frame that all pages of the history share. */
export function Frame({ children }: { children: ReactNode }) {
  const texts = useHistoryTexts();
  const hasCanvases = usePermission("canvas:read");
  const hasShares = usePermission("share:read");
  const hasAgents = usePermission("agent:read");
  const tabs = [
    { to: "/history", label: texts.tabs.all },
    ...(hasCanvases ? [{ to: "/canvases", label: texts.tabs.canvases }] : []),
    ...(hasShares ? [{ to: "/shared", label: texts.tabs.shared }] : []),
    { to: "/trash", label: texts.tabs.trash, isExact: true },
    ...(hasCanvases ? [{ to: "/trash/canvases", label: texts.tabs.canvasTrash }] : []),
    ...(hasAgents ? [{ to: "/trash/agents", label: texts.tabs.agents }] : []),
  ];
  return (
    <Page title={texts.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TabLinks label={texts.title} tabs={tabs} />
        {children}
      </div>
    </Page>
  );
}
