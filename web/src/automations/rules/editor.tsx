import { useNavigate, useParams } from "@tanstack/react-router";
import { awaitsFirst } from "../../shell/awaits-first.ts";
import { type FormDraft, useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { usePermission, meQuery } from "../../shell/queries.ts";
import { notify } from "../../ui/notices.tsx";
import { EditorForm } from "../editor-form.tsx";
import { toSteps } from "../steps.ts";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange } from "../use-automation-change.ts";
import { MatchFields } from "./match-fields.tsx";
import { Preview } from "./preview.tsx";
import {
  changeRule,
  createRule,
  type Rule,
  ruleQuery,
  useMayChangeRules,
} from "./queries.ts";
import { emptyRule, type RuleFields, toFields } from "./rule-fields.ts";
import { useRuleTexts } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ShareButton } from "../../sharing/dialog.tsx";
import { isolate } from "../../texts/isolate.ts";
import { limitedAgentsQuery, reachQuery, withheldAgentsQuery } from "../agent-queries.ts";
import { Permitted } from "../../shell/permitted.tsx";
import { Page } from "../../ui/page.tsx";

const NOBODYS = { scope: "client", user_id: "" } as const;

/** Edits a rule, beside a preview of the media that it would match. */
export function Editor({ rule }: { rule: Rule | undefined }) {
  const texts = useRuleTexts();
  const administers = usePermission("automation:administer");
  const form = useFormDraft<RuleFields>(
    rule ? `rule-${rule.id}` : "rule-new",
    rule ? toFields(rule) : emptyRule(),
  );
  const mayWrite = useMayWrite(rule);
  const save = useSave(rule, form, administers);
  const { values } = form;
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <EditorForm
        form={form}
        mayWrite={mayWrite}
        save={save}
        fields={
          <>
            {!mayWrite && <p className="rounded-lg bg-sunken p-3">{texts.notYours}</p>}
            <MatchFields rule={rule} values={values} onChange={form.change} />
          </>
        }
      >
        <AgentsReach
          rule={rule}
          scope={values.scope}
          ids={toSteps(values.agents).map(({ id }) => id)}
        />
      </EditorForm>
      <Preview
        rule={{ ruleId: rule?.id ?? null, type: values.type, origin: values.origin }}
      />
    </div>
  );
}

function useMayWrite(rule: Rule | undefined): boolean {
  const mayUpdate = usePermission("automation:update");
  const mayCreate = usePermission("automation:create");
  const mayChange = useMayChangeRules()(rule ?? NOBODYS);
  return rule ? mayUpdate && mayChange : mayCreate;
}

function useSave(
  rule: Rule | undefined,
  form: FormDraft<RuleFields>,
  administers: boolean,
) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const navigate = useNavigate();
  const readNewest = useNewest(ruleQuery(String(rule?.id)));
  return useAutomationChange<void>(
    async () => {
      const { values } = form;
      if (!rule) {
        await createRule({ ...values, scope: administers ? values.scope : undefined });
        return;
      }
      const { type, origin, whose, switchedOn } = texts;
      const agents = shared.agents.title;
      const { changes } = await form.toSave(async () => toFields(await readNewest()), {
        name: shared.name,
        type,
        origin,
        scope: whose,
        is_active: switchedOn,
        agents,
      });
      await changeRule(rule.id, changes);
    },
    () => {
      form.forget();
      notify(texts.saved);
      void navigate({ to: "/automations" });
    },
  );
}

interface AgentsReachProps {
  rule: Rule | undefined;
  scope: RuleFields["scope"];
  ids: readonly string[];
}

/** Which agents of a rule will not run for all media of the rule, and what to do about it. */
function AgentsReach({ rule, scope, ids }: AgentsReachProps) {
  const { data: me } = useQuery(meQuery);
  const creatorId = rule && rule.user_id !== me?.id ? rule.user_id : undefined;
  return (
    <>
      {creatorId !== undefined && <Withheld creatorId={creatorId} ids={ids} />}
      {scope === "client" && <Limited ids={ids} />}
    </>
  );
}

/** Agents run only for senders who may use them. */
function Limited({ ids }: { ids: readonly string[] }) {
  const texts = useRuleTexts();
  const mayRead = usePermission("share:read");
  const { data: agents = [] } = useQuery(limitedAgentsQuery(ids));
  const owned = agents.filter(({ role }) => role === "owner").map(({ id }) => id);
  const known = useQuery(reachQuery(mayRead ? owned : []));
  const { data: reach } = known;
  const limited = agents.filter(({ id }) => !reach?.get(id)?.isForAll);
  const hintOf = (id: string) => {
    const { sharedWith = [] } = reach?.get(id) ?? {};
    if (sharedWith.length > 0) return texts.sharedWith(sharedWith.map(isolate));
    return owned.includes(id) && reach ? texts.notShared : undefined;
  };
  // until it is known who may use them, none of them is known to be withheld
  if (limited.length === 0 || awaitsFirst(known)) return null;
  return <Warning text={texts.limitedAgents} agents={limited} hintOf={hintOf} />;
}

/** An agent runs only where the creator of the rule may use it, too. */
function Withheld({ creatorId, ids }: { creatorId: string; ids: readonly string[] }) {
  const texts = useRuleTexts();
  const { data: withheld = [] } = useQuery(withheldAgentsQuery(creatorId, ids));
  const { data: agents = [] } = useQuery(limitedAgentsQuery(withheld));
  if (withheld.length === 0 || agents.length === 0) return null;
  return <Warning text={texts.withheldAgents} agents={agents} />;
}

interface WarningProps {
  text: string;
  agents: readonly { id: string; name: string }[];
  hintOf?: (id: string) => ReactNode;
}

function Warning({ text, agents, hintOf }: WarningProps) {
  const texts = useRuleTexts();
  return (
    <div role="status" className="grid grid-cols-1 gap-2 rounded-lg bg-sunken p-3">
      <p className="flex items-start gap-2">
        <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
        {text}
      </p>
      <ul className="grid grid-cols-1 gap-1">
        {agents.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-3">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium" title={name}>
                {name}
              </bdi>
              <span className="block text-xs wrap-anywhere text-muted">{hintOf?.(id)}</span>
            </span>
            <ShareButton
              resource={{ resourceType: "agent", resourceId: id }}
              name={name}
              path={`/agents/${id}`}
            >
              {texts.shareAgent}
            </ShareButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `/automations/new`: a rule is written. */
export function NewRulePage() {
  const texts = useRuleTexts();
  return (
    <Page title={texts.new} back={{ to: "/automations", label: texts.back }}>
      <div className="grid grid-cols-1 gap-4">
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
