import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { chosenRoles, RoleChoice } from "../users/role-choice.tsx";
import { changeGroup, type Group, groupQuery } from "./queries.ts";
import { useGroupTexts } from "./texts.ts";

/** The roles that everybody in a group has. */
export function GroupRoles({ group }: { group: Group }) {
  const texts = useGroupTexts();
  const [isChoosing, setChoosing] = useState(false);
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
                {name}
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
