import { useNavigate, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Section } from "../../ui/section.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { useExternalColumns } from "./external-columns.tsx";
import { externalUsersQuery } from "./external-queries.ts";
import type { ExternalSearch } from "./routes.ts";
import { StateFilter } from "./state-filter.tsx";
import { UserTabs } from "./tabs.tsx";
import { useUserTexts } from "./texts.ts";

/** Users whom the organisation's own token issuer signs in. */
export function ExternalUsersPage() {
  const texts = useUserTexts();
  const search = useSearch({ from: "/app/admin/users/external" });
  const list = useList(externalUsersQuery(search));
  const columns = useExternalColumns();
  const total = list.data?.total;
  const isNarrowed = search.q !== undefined || search.state !== undefined;
  return (
    <>
      <UserTabs />
      <Section title={texts.kinds.external} hint={texts.externalHint}>
        {(isNarrowed || total !== 0) && <Filters search={search} />}
        {list.isPending && <Loading lines={8} className="px-0" />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {total !== undefined && total > 0 && (
          <>
            <p className="text-xs text-muted">{texts.count(total, formatNumber(total))}</p>
            <DataTable
              caption={texts.kinds.external}
              columns={columns}
              rows={list.data?.items ?? []}
              keyOf={({ userId }) => userId}
            />
          </>
        )}
        {total === 0 && (
          <Empty icon={KeyRound} title={isNarrowed ? texts.nobody : texts.noExternal}>
            {isNarrowed ? texts.nobodyHint : texts.noExternalHint}
          </Empty>
        )}
        <More list={list} />
      </Section>
    </>
  );
}

function Filters({ search }: { search: ExternalSearch }) {
  const texts = useUserTexts();
  const navigate = useNavigate();
  const narrow = (change: Partial<Record<keyof ExternalSearch, string | undefined>>) =>
    void navigate({
      to: "/admin/users/external",
      search: { ...search, ...change } as ExternalSearch, // the route validates it
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56"
        value={search.q}
        onSearch={(q) => narrow({ q })}
      />
      <StateFilter value={search.state} onChange={(state) => narrow({ state })} />
    </div>
  );
}
