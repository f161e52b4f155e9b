import type { ReactNode } from "react";
import type { FormDraft } from "../../shell/use-form-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";
import type { NewRole, Role } from "./queries.ts";
import { type Rule, isGeneral, isSameRule, toggleRule } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";
import { Checkbox } from "../../ui/checkbox.tsx";

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
      <div className="sticky -bottom-10 flex flex-wrap gap-2 border-t border-hairline bg-page py-3">
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
