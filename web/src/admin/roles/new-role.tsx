import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { createRole, type NewRole as NewRoleBody, roleQuery } from "./queries.ts";
import { forgetRoleDraft, RoleForm } from "./role-form.tsx";
import { useRoleTexts } from "./texts.ts";

const NOTHING = { description: "", permissions: [] };

/** Makes a role, from nothing or as a copy. */
export function NewRole() {
  const texts = useRoleTexts();
  const navigate = useNavigate();
  const { from = "" } = useSearch({ from: "/app/admin/new-role" });
  const [name, setName] = useState("");
  const source = useQuery(roleQuery(from));
  const draftId = `role.new.${from}`;
  const create = useChange({
    run: (body: NewRoleBody) => createRole(body),
    keys: [["roles"]],
    onDone(role) {
      forgetRoleDraft(draftId);
      notify(texts.created(role.name));
      void navigate({ to: "/admin/roles" });
    },
  });
  const copied = source.data && {
    ...source.data,
    description: texts.describe(source.data),
  };
  const start = from ? copied : NOTHING;
  return (
    <div className="grid gap-4">
      <BackLink to="/admin/roles" label={texts.all} />
      <Section title={from ? texts.copyOf(from) : texts.create} hint={texts.changeHint}>
        {source.error && (
          <Problem error={source.error} onRetry={() => void source.refetch()} />
        )}
        {from && source.isPending && <Loading lines={8} />}
        {start && (
          <RoleForm
            draftId={draftId}
            start={start}
            action={texts.create}
            busy={create.isPending}
            error={create.error}
            onSubmit={(fields) => create.mutate({ name, ...fields })}
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
        )}
      </Section>
    </div>
  );
}
