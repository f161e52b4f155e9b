import { Checkbox } from "../../ui/checkbox.tsx";
import { useList } from "../../shell/use-list.ts";
import { useRoleName } from "../../texts/role-name.ts";
import { More } from "../../ui/more.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { rolesQuery } from "../roles/queries.ts";
import { useRoleTexts } from "../roles/texts.ts";
import { useUserTexts } from "./texts.ts";

interface RoleChoiceProps {
  chosen: readonly string[];
  /** The owner of the roles, if not a user. */
  hint?: string;
}

/** The roles of a user or a group, in a form: `chosenRoles` reads them. */
export function RoleChoice({ chosen, hint }: RoleChoiceProps) {
  const texts = useUserTexts();
  const { describe } = useRoleTexts();
  const roleName = useRoleName();
  const list = useList(rolesQuery);
  const listed = list.data?.items.map(({ name }) => name) ?? [];
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.roles}</legend>
      <p className="text-xs text-muted">{hint ?? texts.rolesHint}</p>
      {list.isPending && <Loading lines={3} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {chosen
        .filter((name) => !listed.includes(name))
        .map((name) => (
          // one that is not listed yet stays
          <input key={name} type="hidden" name="role" value={name} />
        ))}
      <div className="max-h-64 overflow-y-auto">
        {list.data?.items.map((role) => (
          <Checkbox
            key={role.name}
            name="role"
            value={role.name}
            defaultChecked={chosen.includes(role.name)}
            label={roleName(role.name)}
            hint={<bdi>{describe(role)}</bdi>}
          />
        ))}
        <More list={list} />
      </div>
    </fieldset>
  );
}

export function chosenRoles(fields: FormData): string[] {
  return fields.getAll("role").map(String);
}
