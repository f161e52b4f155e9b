import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupRoles } from "./group-roles.tsx";
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

/** A group with all its members, however they became members. */
export function GroupPage() {
  const texts = useGroupTexts();
  const { id } = useParams({ from: "/app/admin/groups/$id" });
  const { data: group, error, refetch } = useQuery(groupQuery(id));
  return (
    <div className="grid min-w-0 gap-6">
      <BackLink to="/admin/groups" label={texts.all} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!group && !error && <Loading />}
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
    <header className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-xl" title={name}>
          <bdi>{name}</bdi>
        </h2>
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
      {dialog === "change" && (
        <ChangeDialog group={group} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "delete" && (
        <Deletion group={group} onClose={() => setDialog(undefined)} />
      )}
    </header>
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
  const remove = useChange({
    run: () => deleteGroup(group.id),
    keys: [["groups"]],
    onDone() {
      notify(texts.deleted(group.name));
      void navigate({ to: "/admin/groups" });
    },
  });
  return (
    <Confirm
      title={texts.deleteTitle(group.name)}
      text={texts.deleteText}
      action={texts.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
