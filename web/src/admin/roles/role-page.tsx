import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { PERMISSION_NAMES } from "../../../../src/services/users/contract-permissions.ts";
import { useChange } from "../../shell/use-change.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useRoleName } from "../../texts/role-name.ts";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { PartSection, usePartThing } from "../part-section.tsx";
import { PermissionList } from "./permission-list.tsx";
import { changeRole, type Role, roleQuery } from "./queries.ts";
import { RoleForm, toBody, toRoleFields } from "./role-form.tsx";
import { outcomeOf } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

/** One role: to change, or to read where it is built in. */
export function RolePage() {
  const texts = useRoleTexts();
  const { name } = useParams({ from: "/app/admin/roles/$name" });
  const { data: role, error, refetch } = useQuery(roleQuery(name));
  const roleName = useRoleName();
  usePartThing(roleName(name), "/admin/roles", texts.all);
  return (
    <div className="grid gap-4">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!role && !error && <Loading shape="fields" lines={5} />}
      {role && (role.builtIn ? <BuiltIn role={role} /> : <Change key={name} role={role} />)}
    </div>
  );
}

function BuiltIn({ role }: { role: Role }) {
  const texts = useRoleTexts();
  const roleName = useRoleName();
  const permissions = PERMISSION_NAMES.map((name) => ({
    name,
    allowed: outcomeOf(role.permissions, name),
  }));
  return (
    <PartSection
      title={roleName(role.name)}
      hint={
        <>
          {texts.describe(role)}. {texts.builtInHint}{" "}
          <Link
            to="/admin/new-role"
            search={{ from: role.name }}
            className="text-accent underline"
          >
            {texts.copy}
          </Link>
        </>
      }
    >
      <PermissionList permissions={permissions} />
    </PartSection>
  );
}

function Change({ role }: { role: Role }) {
  const texts = useRoleTexts();
  const form = useFormDraft(`role.${role.name}`, toRoleFields(role));
  const readNewest = useNewest(roleQuery(role.name));
  const change = useChange({
    async run() {
      const { description, permissions } = texts;
      const read = async () => toRoleFields(await readNewest());
      const { changes } = await form.toSave(read, { description, permissions });
      return changeRole(role.name, toBody(changes));
    },
    keys: [["roles"], ["role", role.name], ["user"], ["me"]],
    onDone() {
      form.forget();
      notify(texts.saved);
    },
  });
  return (
    <PartSection title={role.name} hint={texts.changeHint}>
      <RoleForm
        form={form}
        action={texts.save}
        busy={change.isPending}
        error={change.error}
        onSubmit={() => change.mutate()}
      />
    </PartSection>
  );
}
