import { useSearch, Link, useNavigate } from "@tanstack/react-router";
import {
  type Group,
  type Measure,
  DAYS,
  GROUPS,
  MEASURES,
  type Report,
  formatMeasure,
  measureOf,
  rareMeasures,
  cacheParts,
  formatSpending,
  type Sum,
} from "./report.ts";
import { useQuery } from "@tanstack/react-query";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { Section } from "../ui/section.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
import { MadeBy } from "./made-by.tsx";
import { type BudgetState, daysQuery, groupsQuery } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";
import { ChartColumn } from "lucide-react";
import { BarChart } from "../charts/bar-chart.tsx";
import { formatDay, formatNumber } from "../texts/format.ts";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { lastDays } from "./days.ts";
import { useList } from "../shell/use-list.ts";
import { More } from "../ui/more.tsx";
import { usePermission } from "../shell/queries.ts";
import { SelectField } from "../ui/select-field.tsx";

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
  // they come first: what is below them waits for them, or would move
  const isWaiting = awaitsFirst(useQuery(ownBudgetsQuery));
  return (
    <>
      {isWaiting && <Loading shape="table" />}
      <div hidden={isWaiting} className="contents">
        <OwnBudgets />
        <Filters shown={shown} />
        <DaysChart shown={shown} />
        <GroupsTable shown={shown} />
      </div>
    </>
  );
}

/** The budgets that limit the reader; nothing where there are none. */
function OwnBudgets() {
  const texts = useUsageTexts();
  const { data } = useQuery(ownBudgetsQuery);
  if (!data || data.budgets.length === 0) return null;
  return (
    <Section title={texts.own} hint={texts.ownHint}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {data.budgets.map((budget) => (
          <li
            key={budget.budgetId}
            className="rounded-lg border border-hairline bg-raised p-3"
          >
            <p className="font-medium">
              <bdi>{budget.name}</bdi>
            </p>
            <p className="mb-2 text-xs text-muted">
              {isOnlyMine(budget) ? texts.limitsYou(budget) : texts.limits(budget)}
            </p>
            <BudgetMeter budget={budget} spent={budget.spent} />
            <MadeBy budget={budget} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function isOnlyMine({ subjectType, subjectId }: BudgetState): boolean {
  return subjectType === "user" && subjectId !== "*";
}

/** What a chart takes with its lines of text, and the way to its table. */
const CHART_HEIGHT = "h-[15.6rem] px-0 pointer-coarse:h-[16.85rem]";

/** What was used on each of the last days, as bars and as a table. */
function DaysChart({ shown }: { shown: Shown }) {
  const texts = useUsageTexts();
  const { days, measure, only } = shown;
  const { data, error, refetch } = useQuery(daysQuery(shown));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className={CHART_HEIGHT} />;
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

/** What was used for each model, agent or user. A name shows its days alone. */
function GroupsTable({ shown }: { shown: Shown }) {
  const texts = useUsageTexts();
  const list = useList(groupsQuery(shown));
  const columns: Column<Sum>[] = [
    {
      key: "group",
      label: texts.groups[shown.by],
      cell: (sum) => <GroupLink sum={sum} shown={shown} />,
    },
    number("input", texts.input, ({ inputTokens }) => formatNumber(inputTokens)),
    ...cacheParts(list.data?.items ?? []).map((part) =>
      number(part, texts.cache[part], (sum) => formatNumber(sum[part])),
    ),
    number("output", texts.output, ({ outputTokens }) => formatNumber(outputTokens)),
    ...rareMeasures(list.data?.items ?? []).map((measure) =>
      number(measure, texts.measures[measure], (sum) =>
        formatMeasure(measureOf(sum, measure), measure),
      ),
    ),
    number("requests", texts.measures.requests, ({ requests }) => formatNumber(requests)),
    {
      ...number("cost", texts.measures.cost, ({ cost, currency }) =>
        cost === null ? "–" : formatSpending(cost, currency),
      ),
      isUnsaid: ({ cost }) => cost === null,
    },
  ];
  return (
    <div>
      {list.isPending && <Loading shape="table" lines={5} />}
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

/** What is shown; the choice is part of the address. */
function Filters({ shown: { days, by, measure, only } }: { shown: Shown }) {
  const texts = useUsageTexts();
  const navigate = useNavigate({ from: "/usage" });
  const seesEverybody = usePermission("budget:administer");
  const choose = (report: Report) =>
    void navigate({
      to: "/usage",
      search: (before) => ({ ...before, ...report }),
      replace: true,
    });
  const groups = GROUPS.filter((group) => group !== "user" || seesEverybody);
  return (
    <div className="flex flex-wrap gap-3">
      <SelectField
        label={texts.period}
        value={days}
        onChange={({ target }) => choose({ days: DAYS[target.selectedIndex] })}
      >
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {texts.lastDays(count)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.measure}
        value={measure}
        onChange={({ target }) => choose({ measure: MEASURES[target.selectedIndex] })}
      >
        {MEASURES.map((one) => (
          <option key={one} value={one}>
            {texts.measures[one]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.by}
        value={by}
        onChange={({ target }) =>
          choose({ by: groups[target.selectedIndex], only: undefined })
        }
      >
        {groups.map((group) => (
          <option key={group} value={group}>
            {texts.groups[group]}
          </option>
        ))}
      </SelectField>
      {only !== undefined && (
        <button
          type="button"
          onClick={() => choose({ only: undefined })}
          className="min-h-9 self-end rounded-md px-2 text-accent underline hover:bg-hover"
        >
          {texts.showAll}
        </button>
      )}
    </div>
  );
}
