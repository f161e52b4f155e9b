import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import { PERMISSION_NAMES } from "../../../../src/services/users/contract-permissions.ts";
import { useList } from "../../shell/use-list.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { deleteRole, type Role, rolesQuery } from "./queries.ts";
import { RolesMatrix } from "./roles-matrix.tsx";
import { outcomeOf } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

/** The roles that users can have. */
export function RolesPage() {
  const texts = useRoleTexts();
  const navigate = useNavigate();
  const list = useList(rolesQuery);
  const [deleting, setDeleting] = useState<Role>();
  const columns = useColumns(setDeleting);
  return (
    <>
      <Section
        title={texts.title}
        hint={texts.hint}
        actions={
          <Button look="primary" onClick={() => void navigate({ to: "/admin/new-role" })}>
            {texts.create}
          </Button>
        }
      >
        {list.isPending && <Loading />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {list.data && (
          <DataTable
            caption={texts.title}
            columns={columns}
            rows={list.data.items}
            keyOf={({ name }) => name}
          />
        )}
        <More list={list} />
        {deleting && <Deletion role={deleting} onClose={() => setDeleting(undefined)} />}
      </Section>
      {list.data && <RolesMatrix roles={list.data.items} />}
    </>
  );
}

function useColumns(onDelete: (role: Role) => void): Column<Role>[] {
  const texts = useRoleTexts();
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ name, builtIn }) => (
        <span className="inline-flex items-center gap-2">
          <Link
            to="/admin/roles/$name"
            params={{ name }}
            className="font-medium hover:underline"
          >
            {name}
          </Link>
          {builtIn && <Badge title={texts.builtInHint}>{texts.builtIn}</Badge>}
        </span>
      ),
    },
    {
      key: "description",
      label: texts.description,
      cell: (role) => (
        <bdi className="line-clamp-2 text-muted" title={role.description}>
          {texts.describe(role)}
        </bdi>
      ),
    },
    {
      key: "permissions",
      label: texts.permissions,
      isNumber: true,
      cell: ({ permissions }) =>
        texts.countOf(
          PERMISSION_NAMES.filter((name) => outcomeOf(permissions, name) !== "no").length,
          PERMISSION_NAMES.length,
        ),
    },
    {
      key: "actions",
      label: texts.actionsLabel,
      hideLabel: true,
      cell: (role) => <RoleActions role={role} onDelete={() => onDelete(role)} />,
    },
  ];
}

function RoleActions({ role, onDelete }: { role: Role; onDelete: () => void }) {
  const texts = useRoleTexts();
  const navigate = useNavigate();
  const copy: MenuItem = {
    key: "copy",
    label: texts.copy,
    icon: Copy,
    onChoose: () => void navigate({ to: "/admin/new-role", search: { from: role.name } }),
  };
  const remove: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: onDelete,
  };
  return (
    <ActionsMenu
      label={texts.actions(role.name)}
      items={role.builtIn ? [copy] : [copy, remove]}
    />
  );
}

function Deletion({ role, onClose }: { role: Role; onClose: () => void }) {
  const texts = useRoleTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle(role.name)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteRole(role.name)}
      keys={[["roles"]]}
      done={texts.deleted(role.name)}
      onClose={onClose}
    />
  );
}
