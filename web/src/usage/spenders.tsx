import { DataTable } from "../ui/data-table.tsx";
import { useList } from "../shell/use-list.ts";
import { Dialog } from "../ui/dialog.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { formatAmount } from "./budget-meter.tsx";
import { type Budget, spendersQuery } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** Who spent how much of a budget in the current period, highest first. */
export function Spenders({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const texts = useUsageTexts();
  const { id, name, unit } = budget;
  const list = useList(spendersQuery(id));
  return (
    <Dialog title={texts.whoTitle(name)} onClose={onClose}>
      {list.isPending && <Loading className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <Empty title={texts.nobodySpent} />}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.whoTitle(name)}
          rows={list.data.items}
          keyOf={({ spender }) => spender}
          columns={[
            {
              key: "who",
              label: texts.name,
              cell: ({ spender, name: known }) => (
                <bdi>{known ?? (spender === "pool" ? texts.everybody : spender)}</bdi>
              ),
            },
            {
              key: "spent",
              label: texts.used,
              isNumber: true,
              cell: ({ spent }) => formatAmount(spent, unit),
            },
          ]}
        />
      )}
      <More list={list} />
    </Dialog>
  );
}
