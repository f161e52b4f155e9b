import type { ReactNode } from "react";
import type { FormDraft } from "../../shell/use-form-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { GeneralRules } from "./general-rules.tsx";
import { PermissionMatrix } from "./permission-matrix.tsx";
import type { NewRole, Role } from "./queries.ts";
import type { Rule } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

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
