import { type ReactNode, useState } from "react";
import type { FormDraft } from "../../shell/use-form-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { NewRole, Role } from "./queries.ts";
import {
  type Rule,
  isGeneral,
  isSameRule,
  toggleRule,
  concerns,
  type Effect,
  effectOf,
  withEffect,
  ownRules,
  byResource,
} from "./rules.ts";
import { useRoleTexts } from "./texts.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { PERMISSION_NAMES } from "../../../../src/services/users/contract-permissions.ts";
import { usePermissionText } from "../../texts/permission-text.ts";
import { SELECT_LOOK } from "../../ui/field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { isRecord } from "../../api/is-record.ts";

export interface RoleFields {
  description: string;
  permissions: Rule[];
}

interface RoleFormProps {
  form: FormDraft<RoleFields>;
  action: string;
  busy: boolean;
  error: unknown;
  /** Saves; the draft is kept until it is forgotten. */
  onSubmit: () => void;
  children?: ReactNode;
}

/** Edits the permissions of a role. Unsaved changes survive a reload. */
export function RoleForm({ form, onSubmit, children, ...props }: RoleFormProps) {
  const texts = useRoleTexts();
  const { description, permissions } = form.values;
  const setRules = (changed: Rule[]) => form.change({ permissions: changed });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.busy) onSubmit();
      }}
    >
      <div className="grid max-w-md gap-4">
        {children}
        <TextField
          label={texts.description}
          value={description}
          maxLength={2_000}
          onChange={({ target }) => form.change({ description: target.value })}
        />
      </div>
      <GeneralRules rules={permissions} onChange={setRules} />
      <PermissionMatrix rules={permissions} onChange={setRules} />
      {props.error !== null && props.error !== undefined && <Problem error={props.error} />}
      <div className="sticky -bottom-20 z-10 flex flex-wrap gap-2 border-t border-hairline bg-page py-3">
        <Button type="submit" look="primary" busy={props.busy}>
          {props.action}
        </Button>
        {form.isChanged && (
          <Button look="quiet" onClick={form.forget}>
            {texts.discard}
          </Button>
        )}
      </div>
    </form>
  );
}

export function toRoleFields({ description, permissions }: Role): RoleFields {
  return { description, permissions };
}

/** The form offers no other verbs and things than the contract; others the server refuses. */
export function toBody<Fields extends Partial<RoleFields>>(fields: Fields) {
  return fields as Fields & Pick<NewRole, "permissions">;
}

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
function GeneralRules({ rules, onChange }: GeneralRulesProps) {
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

const EFFECTS = ["none", "allow", "forbid"] as const;

interface MatrixProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}

/** The effect of a role on each permission, by resource. */
function PermissionMatrix({ rules, onChange }: MatrixProps) {
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
          className={`${SELECT_LOOK} max-w-48 md:max-w-36`}
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

interface ConditionFieldProps {
  name: string;
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}

/** The conditions of a rule: the requests to which it applies, as JSON. */
function ConditionField({ name, rules, onChange }: ConditionFieldProps) {
  const texts = useRoleTexts();
  const description = usePermissionText()(name);
  const conditions = ownRules(rules, name)[0]?.conditions;
  const [text, setText] = useState(() => (conditions ? JSON.stringify(conditions) : ""));
  const [isOpen, setOpen] = useState(conditions !== undefined);
  if (!isOpen) {
    return (
      <Button
        look="quiet"
        className="justify-self-start text-xs text-muted"
        aria-label={`${texts.addCondition}: ${description}`}
        onClick={() => setOpen(true)}
      >
        {texts.addCondition}
      </Button>
    );
  }
  const parsed = parse(text);
  const change = (next: string) => {
    setText(next);
    const read = parse(next);
    if (read !== "invalid") onChange(withEffect(rules, name, effectOf(rules, name), read));
  };
  return (
    <TextArea
      label={texts.condition}
      hint={texts.conditionHint}
      error={parsed === "invalid" ? texts.conditionInvalid : undefined}
      isCode
      rows={2}
      value={text}
      maxLength={20_000}
      // an invalid condition keeps the form from being sent
      ref={(area) =>
        area?.setCustomValidity(parsed === "invalid" ? texts.conditionInvalid : "")
      }
      onChange={({ target }) => change(target.value)}
    />
  );
}

function parse(text: string): Rule["conditions"] | "invalid" {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as NonNullable<Rule["conditions"]>) : "invalid"; // the server checks it
  } catch {
    return "invalid";
  }
}
