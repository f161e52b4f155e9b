import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { BarChart } from "../charts/bar-chart.tsx";
import { formatDay } from "../texts/format.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { lastDays } from "./days.ts";
import { formatMeasure, measureOf } from "./measures.ts";
import type { Shown } from "./page.tsx";
import { daysQuery } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** What was used on each of the last days, as bars and as a table. */
export function DaysChart({ shown }: { shown: Shown }) {
  const texts = useUsageTexts();
  const { days, measure, only } = shown;
  const { data, error, refetch } = useQuery(daysQuery(shown));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className="h-52 px-0" />;
  if (data.items.length === 0)
    return (
      <Empty icon={ChartColumn} title={texts.empty}>
        {texts.emptyHint}
      </Empty>
    );
  const byDay = new Map(data.items.map((sum) => [sum.group, sum]));
  const currency = data.items.find((sum) => sum.currency !== null)?.currency ?? null;
  const format = (value: number) => formatMeasure(value, measure, currency);
  const bars = lastDays(days).map((day) => {
    const sum = byDay.get(day);
    return { key: day, label: formatDay(day), value: sum ? measureOf(sum, measure) : 0 };
  });
  const caption = texts.chart(texts.measures[measure], days, only);
  return (
    <div>
      <BarChart caption={caption} bars={bars} format={format} />
      <details className="mt-2">
        <summary className="min-h-6 cursor-pointer text-muted pointer-coarse:min-h-11">
          {texts.asTable}
        </summary>
        <DataTable
          caption={caption}
          rows={bars.filter(({ value }) => value > 0).reverse()}
          keyOf={({ key }) => key}
          columns={[
            { key: "day", label: texts.day, cell: ({ label }) => label },
            {
              key: "value",
              label: texts.measures[measure],
              isNumber: true,
              cell: ({ value }) => format(value),
            },
          ]}
        />
      </details>
    </div>
  );
}
