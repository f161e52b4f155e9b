import { Link, useSearch } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { NewUserDialog } from "./new-user.tsx";
import { type User, usersQuery } from "./queries.ts";
import { UserFilters } from "./filters.tsx";
import { useStateColumns } from "./state-columns.tsx";
import { UserTabs } from "./tabs.tsx";
import { useUserTexts } from "./texts.ts";

/** Everybody who has an account. */
export function UsersPage() {
  const texts = useUserTexts();
  const search = useSearch({ from: "/app/admin/users" });
  const list = useList(usersQuery(search));
  const [isCreating, setCreating] = useState(false);
  const columns = useColumns();
  const total = list.data?.total;
  return (
    <>
      <UserTabs />
      <Section
        title={texts.kinds.own}
        hint={texts.hint}
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        }
      >
        <UserFilters search={search} />
        {list.isPending && <Loading lines={8} className="px-0" />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {total !== undefined && total > 0 && (
          <>
            <p className="text-xs text-muted">{texts.count(total, formatNumber(total))}</p>
            <DataTable
              caption={texts.title}
              columns={columns}
              rows={list.data?.items ?? []}
              keyOf={({ id }) => id}
            />
          </>
        )}
        {total === 0 && (
          <Empty icon={Users} title={texts.nobody}>
            {texts.nobodyHint}
          </Empty>
        )}
        <More list={list} />
        {isCreating && <NewUserDialog onClose={() => setCreating(false)} />}
      </Section>
    </>
  );
}

function useColumns(): Column<User>[] {
  const texts = useUserTexts();
  const states = useStateColumns(texts.created);
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ id, name, email }) => (
        <div className="min-w-0 text-right md:max-w-80 md:text-left">
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
      ),
    },
    { key: "roles", label: texts.roles, cell: ({ roles }) => roles.join(", ") },
    ...states,
  ];
}
