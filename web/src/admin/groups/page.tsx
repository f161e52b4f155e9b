import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Users, Plus } from "lucide-react";
import { useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { GroupDialog } from "./group-dialog.tsx";
import { createGroup, groupsQuery, type ListedGroup } from "./queries.ts";
import { useGroupTexts } from "./texts.ts";

/** All groups of the organisation. */
export function GroupsPage() {
  const texts = useGroupTexts();
  const navigate = useNavigate();
  const { q } = useSearch({ from: "/app/admin/groups" });
  const list = useList(groupsQuery(q));
  const [isCreating, setCreating] = useState(false);
  const total = list.data?.total;
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.create}
    </Button>
  );
  const isEmpty = total === 0 && q === undefined;
  return (
    <PartSection
      title={texts.title}
      hint={texts.hint}
      actions={!isEmpty ? create : undefined}
    >
      {!isEmpty && (
        <SearchField
          label={texts.search}
          value={q}
          onSearch={(next) =>
            void navigate({
              to: "/admin/groups",
              search: next ? { q: next } : {},
              replace: true,
            })
          }
        />
      )}
      {list.isPending && <Loading shape="table" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {total !== undefined && total > 0 && <GroupsTable groups={list.data?.items ?? []} />}
      {isEmpty && (
        <Empty icon={Users} picture="rows" title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      {total === 0 && !isEmpty && <p className="text-muted">{texts.nothing}</p>}
      <More list={list} />
      {isCreating && (
        <GroupDialog
          title={texts.create}
          action={texts.create}
          run={createGroup}
          onDone={({ id }) => void navigate({ to: "/admin/groups/$id", params: { id } })}
          onClose={() => setCreating(false)}
        />
      )}
    </PartSection>
  );
}

function GroupsTable({ groups }: { groups: readonly ListedGroup[] }) {
  const texts = useGroupTexts();
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns()}
      rows={groups}
      keyOf={({ id }) => id}
    />
  );
}

function useColumns(): Column<ListedGroup>[] {
  const texts = useGroupTexts();
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ id, name, description }) => (
        <div className="min-w-0 md:max-w-96">
          <Link
            to="/admin/groups/$id"
            params={{ id }}
            title={name}
            className="block truncate font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          <bdi className="block truncate text-xs text-muted" title={description}>
            {description}
          </bdi>
        </div>
      ),
    },
    {
      key: "external",
      label: texts.origin,
      isUnsaid: ({ externalName }) => externalName === null,
      cell: ({ externalName }) =>
        externalName === null ? (
          <span className="text-muted">{texts.local}</span>
        ) : (
          <Badge title={texts.externalHint(externalName)}>{texts.external}</Badge>
        ),
    },
    {
      key: "members",
      label: texts.members,
      isNumber: true,
      cell: ({ memberCount }) => formatNumber(memberCount),
    },
    {
      key: "groups",
      label: texts.nested,
      isUnsaid: ({ groupCount }) => groupCount === 0,
      isNumber: true,
      cell: ({ groupCount }) => formatNumber(groupCount),
    },
  ];
}
