import { Checkbox } from "../../ui/checkbox.tsx";
import { isGeneral, isSameRule, type Rule, toggleRule } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

const OFFERED: readonly Rule[] = [
  { action: "manage", subject: "all" },
  { action: "read", subject: "all" },
  { action: "export", subject: "all" },
];

interface GeneralRulesProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}

/** The rules of a role about many permissions at once, including future ones. */
export function GeneralRules({ rules, onChange }: GeneralRulesProps) {
  const texts = useRoleTexts();
  const own = rules.filter(isGeneral);
  const others = own.filter((rule) => !OFFERED.some((one) => isSameRule(one, rule)));
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.general}</legend>
      <p className="text-xs text-muted">{texts.generalHint}</p>
      {[...OFFERED, ...others].map((rule) => (
        <Checkbox
          key={JSON.stringify(rule)}
          checked={own.some((one) => isSameRule(one, rule))}
          onChange={() => onChange(toggleRule(rules, rule))}
          label={texts.rule(rule)}
          hint={rule.conditions && texts.onlyIf(JSON.stringify(rule.conditions))}
        />
      ))}
    </fieldset>
  );
}
