import { Outlet } from "@tanstack/react-router";
import { Page } from "../ui/page.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useTextTexts } from "./texts.ts";

/** Corrects, translates and summarizes texts, and lists earlier results. */
export function TextPage() {
  const texts = useTextTexts();
  const tabs = [
    { to: "/text", label: texts.tabs.tools, isExact: true },
    { to: "/text/kept", label: texts.tabs.kept },
  ];
  return (
    <Page title={texts.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TabLinks label={texts.title} tabs={tabs} />
        <Outlet />
      </div>
    </Page>
  );
}
