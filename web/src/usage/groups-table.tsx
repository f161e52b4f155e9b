import { Link } from "@tanstack/react-router";
import { useList } from "../shell/use-list.ts";
import { formatNumber } from "../texts/format.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { formatMoney } from "./measures.ts";
import type { Shown } from "./page.tsx";
import { groupsQuery, type Sum } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** What was used for each model, agent or user. A name shows its days alone. */
export function GroupsTable({ shown }: { shown: Shown }) {
  const texts = useUsageTexts();
  const list = useList(groupsQuery(shown));
  const columns: Column<Sum>[] = [
    {
      key: "group",
      label: texts.groups[shown.by],
      cell: (sum) => <GroupLink sum={sum} shown={shown} />,
    },
    number("input", texts.input, ({ inputTokens }) => formatNumber(inputTokens)),
    number("output", texts.output, ({ outputTokens }) => formatNumber(outputTokens)),
    number("requests", texts.measures.requests, ({ requests }) => formatNumber(requests)),
    number("cost", texts.measures.cost, ({ cost, currency }) =>
      cost === null ? "–" : formatMoney(cost, currency),
    ),
  ];
  return (
    <div>
      {list.isPending && <Loading className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.groups[shown.by]}
          columns={columns}
          rows={list.data.items}
          keyOf={({ group }) => group}
        />
      )}
      <More list={list} />
    </div>
  );
}

function number(key: string, label: string, cell: (sum: Sum) => string): Column<Sum> {
  return { key, label, isNumber: true, cell };
}

function GroupLink({ sum: { group, name }, shown }: { sum: Sum; shown: Shown }) {
  const texts = useUsageTexts();
  const isOnly = shown.only === group;
  const label = name ?? (group || texts.none[shown.by]);
  return (
    <Link
      from="/usage"
      to="/usage"
      search={(before) => ({ ...before, only: isOnly ? undefined : group })}
      replace
      aria-current={isOnly}
      className="inline-block min-h-6 text-accent underline aria-current:font-semibold"
      title={texts.showOnly(label)}
    >
      <bdi className="wrap-anywhere">{label}</bdi>
    </Link>
  );
}
