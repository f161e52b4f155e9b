import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { ruleQuery, type Rule, useMayChangeRules } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";

/** A rule: what it takes and does, and for those who may change it how that went. */
export function RulePage() {
  const texts = useRuleTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(ruleQuery(id));
  return (
    <Page title={data?.name ?? texts.back} back={{ to: "/automations", label: texts.back }}>
      <div className="grid grid-cols-1 gap-4">
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading shape="fields" lines={5} />}
        {data && (
          <>
            <Tabs rule={data} />
            <Outlet />
          </>
        )}
      </div>
    </Page>
  );
}

function Tabs({ rule }: { rule: Rule }) {
  const texts = useRuleTexts();
  if (!useMayChangeRules()(rule)) return null;
  const path = `/automations/${rule.id}`;
  const tabs = [
    { to: path, label: texts.tabs.rule, isExact: true },
    { to: `${path}/runs`, label: texts.tabs.runs },
  ];
  return <TabLinks label={rule.name} tabs={tabs} />;
}
