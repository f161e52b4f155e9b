import { type ReactNode, useState } from "react";
import { loadDraft, saveDraft } from "../../shell/drafts.ts";
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
  /** Where unsaved changes are kept. */
  draftId: string;
  start: Pick<Role, "description" | "permissions">;
  action: string;
  busy: boolean;
  error: unknown;
  /** Saves; the draft is kept until `forgetRoleDraft`. */
  onSubmit: (fields: Required<Omit<NewRole, "name">>) => void;
  children?: ReactNode;
}

/** What a role permits. What is not saved yet survives a reload. */
export function RoleForm({ draftId, start, onSubmit, children, ...props }: RoleFormProps) {
  const texts = useRoleTexts();
  const [draft, setDraft] = useState(() => readDraft(draftId));
  const fields = draft ?? start;
  const change = (next: Partial<RoleFields>) => {
    const changed = { ...fields, ...next };
    saveDraft(draftId, { text: JSON.stringify(changed), files: [] });
    setDraft(changed);
  };
  const setRules = (permissions: Rule[]) => change({ permissions });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        // the form offers no other verbs and things than the contract; others the server refuses
        const permissions = fields.permissions as Required<NewRole>["permissions"];
        if (!props.busy) onSubmit({ description: fields.description, permissions });
      }}
    >
      <div className="grid max-w-md gap-4">
        {children}
        <TextField
          label={texts.description}
          value={fields.description}
          maxLength={2_000}
          onChange={({ target }) => change({ description: target.value })}
        />
      </div>
      <GeneralRules rules={fields.permissions} onChange={setRules} />
      <PermissionMatrix rules={fields.permissions} onChange={setRules} />
      {props.error !== null && props.error !== undefined && <Problem error={props.error} />}
      <div className="sticky -bottom-10 flex flex-wrap gap-2 border-t border-hairline bg-page py-3">
        <Button type="submit" look="primary" busy={props.busy}>
          {props.action}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            forgetRoleDraft(draftId);
            setDraft(undefined);
          }}
        >
          {texts.discard}
        </Button>
      </div>
    </form>
  );
}

export function forgetRoleDraft(id: string): void {
  saveDraft(id, { text: "", files: [] });
}

function readDraft(id: string): RoleFields | undefined {
  const { text } = loadDraft(id);
  return text === "" ? undefined : (JSON.parse(text) as RoleFields); // written above
}
