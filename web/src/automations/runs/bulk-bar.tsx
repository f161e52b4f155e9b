import { RotateCw } from "lucide-react";
import type { ComponentProps } from "react";
import { ActionsBar } from "../../shell/bulk/actions-bar.tsx";
import { usePermission } from "../../shell/queries.ts";
import { BAR_IN_MARGIN } from "../../ui/chosen-row.ts";
import { AUTOMATION_KEYS } from "../use-automation-change.ts";
import { deleteRun, isRetried, retryRun, type RunSummary } from "./queries.ts";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list that can be chosen. */
  runs: readonly RunSummary[];
}

/** Retries what failed of the chosen runs, or deletes those that have ended. */
export function BulkBar({ list, chosen, runs }: BulkBarProps) {
  const texts = useRunTexts();
  const mayRun = usePermission("automation:run");
  const mayDelete = usePermission("automation:delete");
  const some = runs.filter(({ id }) => chosen.has(id));
  const itemsOf = (of: readonly RunSummary[]) =>
    of.map((run) => ({ id: run.id, name: titleOf(run) }));
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      className={BAR_IN_MARGIN}
      keys={AUTOMATION_KEYS}
      actions={[
        {
          key: "retry",
          label: texts.retry,
          icon: RotateCw,
          items: mayRun ? itemsOf(some.filter(isRetried)) : [],
          act: retryRun,
          done: texts.manyRetried,
        },
      ]}
      deletion={{
        label: texts.delete,
        items: mayDelete ? itemsOf(some) : [],
        act: deleteRun,
        done: texts.manyDeleted,
        asks: { title: texts.deleteManyTitle, text: texts.deleteManyText },
      }}
    />
  );
}
