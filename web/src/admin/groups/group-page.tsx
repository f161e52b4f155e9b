import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { Members } from "./members.tsx";
import { NestedGroups } from "./nested-groups.tsx";
import {
  changeGroup,
  deleteGroup,
  type Group,
  type GroupProfile,
  groupQuery,
} from "./queries.ts";
import { useGroupTexts } from "./texts.ts";
import { useRoleName } from "../../texts/role-name.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { AtTitle, usePartThing } from "../part-section.tsx";
import { chosenRoles, RoleChoice } from "../users/role-choice.tsx";

/** A group with all its members, however they became members. */
export function GroupPage() {
  const texts = useGroupTexts();
  const { id } = useParams({ from: "/app/admin/groups/$id" });
  const { data: group, error, refetch } = useQuery(groupQuery(id));
  usePartThing(group?.name, "/admin/groups", texts.all);
  return (
    <div className="grid min-w-0 gap-6">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!group && !error && <Loading shape="fields" lines={4} />}
      {group && (
        <>
          <Header group={group} />
          <Members key={id} group={group} />
          <NestedGroups group={group} />
          <GroupRoles group={group} />
        </>
      )}
    </div>
  );
}

function Header({ group }: { group: Group }) {
  const texts = useGroupTexts();
  const { name, description, externalName } = group;
  const [dialog, setDialog] = useState<"change" | "delete">();
  return (
    <>
      <div className="-mt-2 min-w-0 empty:hidden">
        {description && (
          <p className="wrap-anywhere text-muted">
            <bdi>{description}</bdi>
          </p>
        )}
        {externalName !== null && (
          <p className="text-xs wrap-anywhere text-muted">
            {texts.externalHint(externalName)}
          </p>
        )}
      </div>
      <AtTitle isMenu>
        <ActionsMenu
          label={texts.actions(name)}
          items={[
            {
              key: "change",
              label: texts.change,
              icon: Pencil,
              onChoose: () => setDialog("change"),
            },
            {
              key: "delete",
              label: texts.delete,
              icon: Trash2,
              isDanger: true,
              onChoose: () => setDialog("delete"),
            },
          ]}
        />
      </AtTitle>
      {dialog === "change" && (
        <ChangeDialog group={group} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "delete" && (
        <Deletion group={group} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function ChangeDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const texts = useGroupTexts();
  const { name, description, externalName } = texts;
  const readNewest = useNewest(groupQuery(group.id));
  const ownChanges = useOwnChanges<GroupProfile>({
    stored: toProfile(group),
    readNewest: async () => toProfile(await readNewest()),
    names: { name, description, externalName },
  });
  return (
    <GroupDialog
      title={texts.change}
      action={texts.save}
      group={group}
      run={async (fields) => changeGroup(group.id, (await ownChanges(fields)).changes)}
      onDone={() => notify(texts.saved)}
      onClose={onClose}
    />
  );
}

function toProfile({ name, description, externalName }: Group): GroupProfile {
  return { name, description, externalName };
}

function Deletion({ group, onClose }: { group: Group; onClose: () => void }) {
  const texts = useGroupTexts();
  const navigate = useNavigate();
  return (
    <ConfirmChange
      title={texts.deleteTitle(group.name)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteGroup(group.id)}
      keys={[["groups"]]}
      done={texts.deleted(group.name)}
      onDone={() => void navigate({ to: "/admin/groups" })}
      onClose={onClose}
    />
  );
}

/** The roles that everybody in a group has. */
function GroupRoles({ group }: { group: Group }) {
  const texts = useGroupTexts();
  const [isChoosing, setChoosing] = useState(false);
  const roleName = useRoleName();
  const { roles } = group;
  return (
    <Section
      title={texts.roles}
      hint={texts.rolesHint}
      actions={<Button onClick={() => setChoosing(true)}>{texts.changeRoles}</Button>}
    >
      {roles.length === 0 && <p className="text-muted">{texts.noRoles}</p>}
      {roles.length > 0 && (
        <ul aria-label={texts.roles} className="divide-y divide-hairline">
          {roles.map((name) => (
            <li key={name} className="py-2">
              <Link
                to="/admin/roles/$name"
                params={{ name }}
                className="font-medium hover:underline"
              >
                {roleName(name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isChoosing && <Choice group={group} onClose={() => setChoosing(false)} />}
    </Section>
  );
}

function Choice({ group, onClose }: { group: Group; onClose: () => void }) {
  const texts = useGroupTexts();
  const readNewest = useNewest(groupQuery(group.id));
  const ownChanges = useOwnChanges({
    stored: toRoles(group),
    readNewest: async () => toRoles(await readNewest()),
    names: { roles: texts.roles },
  });
  const save = useChange({
    async run(roles: string[]) {
      const { changes } = await ownChanges({ roles: roles.toSorted() });
      return changeGroup(group.id, changes);
    },
    keys: [["groups"], ["group", group.id], ["user"]],
    onDone() {
      onClose();
      notify(texts.saved);
    },
  });
  return (
    <FormDialog
      title={texts.changeRoles}
      action={texts.save}
      busy={save.isPending}
      error={save.error}
      onSubmit={(fields) => save.mutate(chosenRoles(fields))}
      onClose={onClose}
    >
      <RoleChoice chosen={group.roles} hint={texts.rolesHint} />
    </FormDialog>
  );
}

const toRoles = ({ roles }: Group) => ({ roles: roles.toSorted() });
