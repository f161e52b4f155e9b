import { useNavigate } from "@tanstack/react-router";
import { type FormDraft, useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { usePermission } from "../../shell/queries.ts";
import { notify } from "../../ui/notices.tsx";
import { EditorForm } from "../editor-form.tsx";
import { toSteps } from "../steps.ts";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange } from "../use-automation-change.ts";
import { AgentsReach } from "./agents-reach.tsx";
import { MatchFields } from "./match-fields.tsx";
import { Preview } from "./preview.tsx";
import { changeRule, createRule, type Rule, ruleQuery } from "./queries.ts";
import { emptyRule, type RuleFields, toFields } from "./rule-fields.ts";
import { useRuleTexts } from "./texts.ts";
import { useMayChange } from "./use-may-change.ts";

const NOBODYS = { scope: "client", user_id: "" } as const;

/** Edits a rule, beside a preview of the media that it would match. */
export function Editor({ rule }: { rule: Rule | undefined }) {
  const texts = useRuleTexts();
  const administers = usePermission("automation:administer");
  const form = useFormDraft<RuleFields>(
    rule ? `rule-${rule.id}` : "rule-new",
    rule ? toFields(rule) : emptyRule(administers),
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
  const mayChange = useMayChange(rule ?? NOBODYS);
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
