import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Permitted } from "../../shell/permitted.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Page } from "../../ui/page.tsx";
import { Editor } from "./editor.tsx";
import { ruleQuery } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";

/** `/automations/new`: a rule is written. */
export function NewRulePage() {
  const texts = useRuleTexts();
  return (
    <Page title={texts.new}>
      <div className="grid grid-cols-1 gap-4">
        <BackLink to="/automations" label={texts.back} />
        <Permitted permission="automation:create">
          <Editor rule={undefined} />
        </Permitted>
      </div>
    </Page>
  );
}

/** `/automations/$id`: a rule is changed. */
export function RuleEditor() {
  const { id = "" } = useParams({ strict: false });
  const { data } = useQuery(ruleQuery(id));
  return data ? <Editor key={data.id} rule={data} /> : null;
}
