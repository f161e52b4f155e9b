import { useId } from "react";
import { usePermission } from "../../shell/queries.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAutomationTexts } from "../texts.ts";
import type { Rule } from "./queries.ts";
import type { RuleFields } from "./rule-fields.ts";
import { useRuleTexts } from "./texts.ts";

const TYPES = [
  "application/pdf",
  "audio",
  "video",
  "image",
  "text",
  "docx",
  "xlsx",
  "eml",
  "*",
];

interface MatchFieldsProps {
  rule: Rule | undefined;
  values: RuleFields;
  onChange: (changed: Partial<RuleFields>) => void;
}

/** The name of a rule, and which media it takes. */
export function MatchFields({ rule, values, onChange }: MatchFieldsProps) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const typesId = useId();
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label={shared.name}
        hint={texts.nameHint}
        value={values.name}
        maxLength={200}
        required
        autoFocus={!rule}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label={texts.type}
        hint={texts.typeHint}
        value={values.type}
        maxLength={500}
        required
        list={typesId}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ type: target.value })}
      />
      <datalist id={typesId}>
        {TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <TextField
        label={texts.origin}
        hint={texts.originHint}
        value={values.origin}
        maxLength={500}
        required
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ origin: target.value })}
      />
      <ScopeField
        rule={rule}
        scope={values.scope}
        onChange={(scope) => onChange({ scope })}
      />
      <Checkbox
        label={texts.switchedOn}
        checked={values.is_active}
        onChange={({ target }) => onChange({ is_active: target.checked })}
      />
    </div>
  );
}

interface ScopeFieldProps {
  rule: Rule | undefined;
  scope: RuleFields["scope"];
  onChange: (scope: RuleFields["scope"]) => void;
}

/** Only who looks after the organisation's rules can choose. */
function ScopeField({ rule, scope, onChange }: ScopeFieldProps) {
  const texts = useRuleTexts();
  if (!usePermission("automation:administer")) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{texts.whose}</legend>
      <Checkbox
        type="radio"
        name="scope"
        label={texts.wholeOrganisation}
        hint={texts.wholeHint}
        checked={scope === "client"}
        onChange={() => onChange("client")}
      />
      <Checkbox
        type="radio"
        name="scope"
        label={rule ? texts.onlyTheirs : texts.onlyMine}
        checked={scope === "personal"}
        onChange={() => onChange("personal")}
      />
    </fieldset>
  );
}
