import { PERMISSION_NAMES } from "../../../../src/services/users/contract-permissions.ts";
import { usePermissionText } from "../../texts/permission-text.ts";
import { INPUT_LOOK } from "../../ui/field.tsx";
import { byResource } from "./by-resource.ts";
import { ConditionField } from "./condition-field.tsx";
import {
  concerns,
  type Effect,
  effectOf,
  isGeneral,
  type Rule,
  withEffect,
} from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

const EFFECTS = ["none", "allow", "forbid"] as const;

interface MatrixProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}

/** The effect of a role on each permission, by resource. */
export function PermissionMatrix({ rules, onChange }: MatrixProps) {
  const texts = useRoleTexts();
  const permissions = PERMISSION_NAMES.map((name) => ({ name }));
  return (
    <div className="grid gap-x-8 gap-y-5 xl:grid-cols-2">
      {byResource(permissions).map(([resource, items]) => (
        <fieldset key={resource} className="grid content-start gap-1">
          <legend className="w-full border-b border-hairline pb-1 font-medium">
            {texts.resource(resource)}
          </legend>
          {items.map(({ name }) => (
            <PermissionRow key={name} name={name} rules={rules} onChange={onChange} />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function PermissionRow({ name, rules, onChange }: MatrixProps & { name: string }) {
  const texts = useRoleTexts();
  const description = usePermissionText()(name);
  const effect = effectOf(rules, name);
  const general = rules.filter((rule) => isGeneral(rule) && concerns(rule, name));
  const effects: readonly Effect[] =
    effect === "several" ? [...EFFECTS, "several"] : EFFECTS;
  return (
    <div className="grid gap-1 py-0.5" title={name}>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="min-w-0 flex-1 basis-52">
          {description}
          {general.length > 0 && (
            <p className="text-xs text-muted">{general.map(texts.rule).join(" · ")}</p>
          )}
        </div>
        <select
          aria-label={description}
          className={`${INPUT_LOOK} max-w-48 md:max-w-36`}
          value={effect}
          onChange={
            ({ target }) => onChange(withEffect(rules, name, target.value as Effect)) // of the options below
          }
        >
          {effects.map((one) => (
            <option key={one} value={one}>
              {one === "none" && general.length > 0 ? texts.asGeneral : texts.effects[one]}
            </option>
          ))}
        </select>
      </div>
      {(effect === "allow" || effect === "forbid") && (
        <ConditionField name={name} rules={rules} onChange={onChange} />
      )}
    </div>
  );
}
