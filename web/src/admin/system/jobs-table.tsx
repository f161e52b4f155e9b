import { formatAgo, formatDuration, formatNumber, formatTime } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Status } from "../../ui/status.tsx";
import type { Job } from "./queries.ts";
import { useSystemTexts } from "./texts.ts";

const SECOND_MS = 1_000;

/** Each background job with its last run. Failed ones come first. */
export function JobsTable({ jobs }: { jobs: readonly Job[] }) {
  const texts = useSystemTexts();
  const columns = useColumns();
  const rows = jobs.toSorted(
    (a, b) => Number(b.status === "failed") - Number(a.status === "failed"),
  );
  return (
    <DataTable
      caption={texts.jobs}
      columns={columns}
      rows={rows}
      keyOf={({ service, name }) => `${service} ${name}`}
    />
  );
}

const KINDS = { ok: "ok", failed: "down", waiting: "idle" } as const;

function useColumns(): Column<Job>[] {
  const texts = useSystemTexts();
  return [
    {
      key: "name",
      label: texts.job,
      cell: ({ service, name }) => (
        <span>
          {nameOf(texts.jobNames, name)}{" "}
          <code className="block font-mono text-xs text-muted">
            {service} {name}
          </code>
        </span>
      ),
    },
    {
      key: "status",
      label: texts.state,
      cell: ({ status }) => <Status kind={KINDS[status]} label={texts.jobStates[status]} />,
    },
    {
      key: "last",
      label: texts.lastRun,
      cell: ({ lastRunAt }) =>
        lastRunAt === null ? (
          "–"
        ) : (
          <time dateTime={lastRunAt} title={formatTime(lastRunAt)}>
            {formatAgo(lastRunAt)}
          </time>
        ),
    },
    {
      key: "duration",
      label: texts.took,
      isNumber: true,
      cell: ({ lastDurationMs }) =>
        lastDurationMs === null ? "–" : formatDuration(lastDurationMs / SECOND_MS),
    },
    {
      key: "every",
      label: texts.every,
      isNumber: true,
      cell: ({ intervalMs }) => formatDuration(intervalMs / SECOND_MS),
    },
    {
      key: "runs",
      label: texts.runs,
      isNumber: true,
      cell: ({ runs }) => formatNumber(runs),
    },
    {
      key: "failures",
      label: texts.failures,
      isNumber: true,
      cell: ({ failures }) => formatNumber(failures),
    },
  ];
}
