import { useSearch } from "@tanstack/react-router";
import { DaysChart } from "./days-chart.tsx";
import { Filters } from "./filters.tsx";
import { GroupsTable } from "./groups-table.tsx";
import { OwnBudgets } from "./own-budgets.tsx";
import type { Group, Measure } from "./report.ts";

export interface Shown {
  days: number;
  by: Group;
  measure: Measure;
  only: string | undefined;
}

/** Tokens, costs and answers by day, and what they were used for. */
export function UsagePage() {
  const {
    days = 30,
    by = "model",
    measure = "tokens",
    only,
  } = useSearch({ from: "/app/usage/" });
  const shown = { days, by, measure, only };
  return (
    <>
      <OwnBudgets />
      <Filters shown={shown} />
      <DaysChart shown={shown} />
      <GroupsTable shown={shown} />
    </>
  );
}
