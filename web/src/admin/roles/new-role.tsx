import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { PartSection, usePartThing } from "../part-section.tsx";
import { createRole, roleQuery } from "./queries.ts";
import { type RoleFields, RoleForm, toBody, toRoleFields } from "./role-form.tsx";
import { useRoleName } from "../../texts/role-name.ts";
import { useRoleTexts } from "./texts.ts";

const NOTHING: RoleFields = { description: "", permissions: [] };

/** Creates a role, empty or as a copy. */
export function NewRole() {
  const texts = useRoleTexts();
  const roleName = useRoleName();
  const { from = "" } = useSearch({ from: "/app/admin/new-role" });
  const source = useQuery(roleQuery(from));
  const copied = source.data && {
    ...toRoleFields(source.data),
    description: texts.describe(source.data),
  };
  const start = from ? copied : NOTHING;
  const title = from ? texts.copyOf(roleName(from)) : texts.create;
  usePartThing(title, "/admin/roles", texts.all);
  return (
    <PartSection title={title} hint={texts.changeHint}>
      {source.error && (
        <Problem error={source.error} onRetry={() => void source.refetch()} />
      )}
      {from && source.isPending && <Loading shape="fields" lines={5} />}
      {start && <Form key={from} draftId={`role.new.${from}`} start={start} />}
    </PartSection>
  );
}

function Form({ draftId, start }: { draftId: string; start: RoleFields }) {
  const texts = useRoleTexts();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const form = useFormDraft(draftId, start);
  const create = useChange({
    run: () => createRole({ name, ...toBody(form.values) }),
    keys: [["roles"]],
    onDone(role) {
      form.forget();
      notify(texts.created(role.name));
      void navigate({ to: "/admin/roles" });
    },
  });
  return (
    <RoleForm
      form={form}
      action={texts.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        maxLength={64}
        pattern="[a-z][a-z0-9_\-]*"
        autoComplete="off"
        required
        onChange={({ target }) => setName(target.value)}
      />
    </RoleForm>
  );
}
