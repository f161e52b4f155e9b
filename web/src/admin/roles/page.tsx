import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, Trash2, Ban, Check, CircleHelp, Minus, Plus } from "lucide-react";
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
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { useRoleName } from "../../texts/role-name.ts";
import { deleteRole, type Role, rolesQuery } from "./queries.ts";
import { outcomeOf, type Verdict, verdictOf, byResource } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";
import { usePermissionText } from "../../texts/permission-text.ts";
import { Checkbox } from "../../ui/checkbox.tsx";

/** The roles that users can have. */
export function RolesPage() {
  const texts = useRoleTexts();
  const navigate = useNavigate();
  const list = useList(rolesQuery);
  const [deleting, setDeleting] = useState<Role>();
  const columns = useColumns(setDeleting);
  return (
    <>
      <PartSection
        title={texts.title}
        hint={texts.hint}
        actions={
          <Button look="primary" onClick={() => void navigate({ to: "/admin/new-role" })}>
            <Plus aria-hidden size={16} />
            {texts.create}
          </Button>
        }
      >
        {list.isPending && <Loading shape="table" lines={5} />}
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
      </PartSection>
      {list.data && <RolesMatrix roles={list.data.items} />}
    </>
  );
}

function useColumns(onDelete: (role: Role) => void): Column<Role>[] {
  const texts = useRoleTexts();
  const roleName = useRoleName();
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
            {roleName(name)}
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
      isMenu: true,
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

const ICONS = { yes: Check, no: Minus, conditional: CircleHelp, forbidden: Ban };
const COLOURS = {
  yes: "text-ok",
  no: "text-muted",
  conditional: "text-warn",
  forbidden: "text-danger",
};

/** Every permission in a row, every role in a column. */
function RolesMatrix({ roles }: { roles: readonly Role[] }) {
  const texts = useRoleTexts();
  const roleName = useRoleName();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = PERMISSION_NAMES.map((name) => ({
    name,
    verdicts: roles.map(({ permissions }) => verdictOf(permissions, name)),
  }));
  const shown = rows.filter(({ verdicts }) => !onlyDifferent || new Set(verdicts).size > 1);
  return (
    <Section title={texts.matrix} hint={texts.matrixHint}>
      <Checkbox
        label={texts.onlyDifferent}
        checked={onlyDifferent}
        onChange={({ target }) => setOnlyDifferent(target.checked)}
      />
      <div
        role="region"
        aria-label={texts.matrix}
        // it may scroll
        tabIndex={0}
        // positioned, so that the hidden texts of its cells do not widen the page
        className="relative max-h-[75dvh] overflow-auto rounded-lg border border-hairline"
      >
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th className={`${HEAD} left-0 z-20 min-w-40 text-left`} scope="col">
                {texts.permissions}
              </th>
              {roles.map(({ name }) => (
                <th key={name} className={`${HEAD} z-10`} scope="col">
                  <span className="mx-auto block max-w-28 truncate" title={name}>
                    {roleName(name)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {byResource(shown).map(([resource, permissions]) => (
            <tbody key={resource}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={roles.length + 1}
                  className="px-3 pt-4 pb-1 text-left font-medium"
                >
                  <span className="sticky left-3">{texts.resource(resource)}</span>
                </th>
              </tr>
              {permissions.map((row) => (
                <Row key={row.name} {...row} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </Section>
  );
}

const HEAD =
  "sticky top-0 border-b border-hairline bg-sunken px-3 py-2 text-xs font-medium";

function Row({ name, verdicts }: { name: string; verdicts: readonly Verdict[] }) {
  const texts = useRoleTexts();
  const textOf = usePermissionText();
  return (
    <tr title={name}>
      <th
        scope="row"
        className={
          "sticky left-0 border-b border-hairline bg-page px-3 py-1.5 text-left " +
          "font-normal max-sm:text-xs"
        }
      >
        {textOf(name)}
      </th>
      {verdicts.map((verdict, column) => {
        const Icon = ICONS[verdict];
        return (
          <td
            // roles do not change places within a row
            // oxlint-disable-next-line react/no-array-index-key
            key={column}
            className="border-b border-hairline px-3 py-1.5"
          >
            <Icon aria-hidden size={15} className={`mx-auto ${COLOURS[verdict]}`} />
            <span className="sr-only">{texts.outcomes[verdict]}</span>
          </td>
        );
      })}
    </tr>
  );
}
