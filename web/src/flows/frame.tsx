import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { appQuery } from "../shell/queries.ts";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty } from "../ui/states.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { useFlowTexts } from "./texts.ts";

/** What the pages of flows have in common; says so where flows are switched off. */
export function Frame({
  title,
  back,
  children,
}: {
  title?: string | undefined;
  back?: { to: string; label: string };
  children: ReactNode;
}) {
  const texts = useFlowTexts();
  const { data } = useQuery(appQuery);
  const tabs = [
    { to: "/flows", label: texts.tabs.flows, isExact: true },
    { to: "/flows/account", label: texts.tabs.account },
  ];
  return (
    <Page title={title ?? texts.title} back={back}>
      <div className="grid grid-cols-1 gap-4">
        {!data && <Loading shape="list" lines={6} />}
        {data && !data.features.flows && (
          <Empty icon={Unplug} picture="rows" title={texts.off}>
            {texts.offHint}
          </Empty>
        )}
        {data?.features.flows && (
          <>
            {!title && <TabLinks label={texts.title} tabs={tabs} />}
            {children}
          </>
        )}
      </div>
    </Page>
  );
}
