import { useQuery } from "@tanstack/react-query";
import { Link, useSearch, useNavigate } from "@tanstack/react-router";
import { Users, Plus } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { meQuery } from "../../shell/queries.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { useRoleName } from "../../texts/role-name.ts";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { useChosen } from "../../ui/use-chosen.ts";
import { type User, usersQuery, createUser } from "./queries.ts";
import { useStateColumns, StateFilter, UserTabs } from "./state-columns.tsx";
import { useUserTexts } from "./texts.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { PickField } from "../../ui/pick-field.tsx";
import { rolesQuery } from "../roles/queries.ts";
import type { UsersSearch } from "./routes.ts";
import { useChange } from "../../shell/use-change.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { chosenRoles, RoleChoice } from "./role-choice.tsx";
import { BulkBar } from "./bulk-bar.tsx";

/** Everybody who has an account. */
export function UsersPage() {
  const texts = useUserTexts();
  const search = useSearch({ from: "/app/admin/users" });
  const list = useList(usersQuery(search));
  const [isCreating, setCreating] = useState(false);
  const total = list.data?.total;
  return (
    <>
      <UserTabs />
      <PartSection
        title={texts.kinds.own}
        hint={texts.hint}
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden size={16} />
            {texts.create}
          </Button>
        }
      >
        <UserFilters search={search} />
        {list.isPending && <Loading shape="table" lines={8} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {total !== undefined && total > 0 && (
          <>
            <p className="text-xs text-muted">{texts.count(total, formatNumber(total))}</p>
            <Accounts list={list} users={list.data?.items ?? []} />
          </>
        )}
        {total === 0 && (
          <Empty icon={Users} picture="rows" title={texts.nobody}>
            {texts.nobodyHint}
          </Empty>
        )}
        <More list={list} />
        {isCreating && <NewUserDialog onClose={() => setCreating(false)} />}
      </PartSection>
    </>
  );
}

/** The accounts. Those that are chosen are changed together, but never one's own. */
function Accounts({ list, users }: Omit<ComponentProps<typeof BulkBar>, "chosen">) {
  const texts = useUserTexts();
  const { data: me } = useQuery(meQuery);
  const others = users.filter(({ id }) => id !== me?.id);
  const chosen = useChosen(others.map(({ id }) => id));
  const columns = useColumns();
  return (
    <div {...chosen.area}>
      <BulkBar list={list} chosen={chosen} users={others} />
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={users}
        keyOf={({ id }) => id}
        choosing={{
          chosen,
          nameOf: ({ name }) => name,
          isFixed: ({ id }) => id === me?.id,
        }}
      />
    </div>
  );
}

function useColumns(): Column<User>[] {
  const texts = useUserTexts();
  const roleName = useRoleName();
  const states = useStateColumns(texts.created);
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ id, name, email }) => (
        <div className="flex min-w-0 items-center gap-2">
          <Avatar name={name} />
          <div className="min-w-0 md:max-w-80">
            <Link
              to="/admin/users/$id/account"
              params={{ id }}
              title={name}
              className="block truncate font-medium hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
            <bdi className="block truncate text-xs text-muted" title={email}>
              {email}
            </bdi>
          </div>
        </div>
      ),
    },
    {
      key: "roles",
      label: texts.roles,
      isBelow: true,
      cell: ({ roles }) => roles.map(roleName).join(", "),
    },
    ...states.map((column) => ({ ...column, isBelow: true })),
  ];
}

/** Filters the list; the filters are part of the address. */
function UserFilters({ search }: { search: UsersSearch }) {
  const texts = useUserTexts();
  const navigate = useNavigate();
  const roleName = useRoleName();
  const listed = useList(rolesQuery).data?.items.map(({ name }) => name) ?? [];
  const { role } = search;
  const roles = role === undefined || listed.includes(role) ? listed : [...listed, role];
  const narrow = (change: Partial<Record<keyof UsersSearch, string | undefined>>) =>
    void navigate({
      to: "/admin/users",
      search: { ...search, ...change } as UsersSearch, // the route validates it
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
        value={search.q}
        onSearch={(q) => narrow({ q })}
      />
      <PickField
        label={texts.role}
        value={role ?? ""}
        onChange={({ target }) => narrow({ role: target.value || undefined })}
      >
        <option value="">{texts.anyRole}</option>
        {roles.map((name) => (
          <option key={name} value={name}>
            {roleName(name)}
          </option>
        ))}
      </PickField>
      <StateFilter value={search.state} onChange={(state) => narrow({ state })} />
    </div>
  );
}

/** Creates an account, then shows its initial password once. */
function NewUserDialog({ onClose }: { onClose: () => void }) {
  const texts = useUserTexts();
  const create = useChange({ run: createUser, keys: [["users"]] });
  const made = create.data;
  if (made?.password !== undefined) {
    return (
      <Dialog title={texts.createdTitle(made.name)} size="small" onClose={onClose}>
        <ShownOnce
          warning={texts.passwordOnce(made.email)}
          value={made.password}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={texts.create}
      action={texts.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) =>
        create.mutate({
          name: textOf(fields, "name"),
          email: textOf(fields, "email"),
          roles: chosenRoles(fields),
        })
      }
      onClose={onClose}
    >
      <TextField label={texts.name} name="name" maxLength={200} required autoFocus />
      <TextField
        label={texts.email}
        name="email"
        type="email"
        hint={texts.emailHint}
        maxLength={320}
        autoComplete="off"
        required
      />
      <RoleChoice chosen={["user"]} />
    </FormDialog>
  );
}
