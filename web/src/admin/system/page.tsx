import { useQuery } from "@tanstack/react-query";
import { toSentence } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import {
  formatRoughDuration,
  formatNumber,
  formatAgo,
  formatTime,
} from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { Section } from "../../ui/section.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { type Health, healthQuery, type Job } from "./queries.ts";
import { useSystemTexts } from "./texts.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";

/** The parts of the installation with their state, and the background jobs; refreshed regularly. */
export function SystemPage() {
  const texts = useSystemTexts();
  const { data, error, refetch } = useQuery(healthQuery);
  if (!data && error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading shape="list" lines={8} />;
  const named = (services: readonly string[]) =>
    services.map((name) => serviceName(texts, name)).join(", ");
  return (
    <>
      <PartSection
        title={texts.title}
        hint={texts.about(data.version, formatRoughDuration(data.uptime * SECOND_MS))}
      >
        <Status kind={data.status} label={texts.overall[data.status]} />
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-6 gap-y-1 text-sm text-muted">
          {data.services.map((name) => (
            <li key={name}>{serviceName(texts, name)}</li>
          ))}
        </ul>
      </PartSection>
      <Section title={texts.parts} hint={texts.partsHint}>
        <Checks checks={data.checks} />
      </Section>
      <Section title={texts.jobs} hint={texts.jobsHint}>
        {data.unreachable.length > 0 && (
          <Status kind="down" label={texts.jobsMissing(named(data.unreachable))} />
        )}
        <JobsTable jobs={data.jobs} />
      </Section>
    </>
  );
}

function Checks({ checks }: { checks: Health["checks"] }) {
  return (
    <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
      {Object.entries(checks).map(([name, check]) => (
        <CheckCard key={name} name={name} check={check} />
      ))}
    </ul>
  );
}

interface CheckCardProps {
  name: string;
  check: Health["checks"][string];
}

function CheckCard({ name, check }: CheckCardProps) {
  const texts = useSystemTexts();
  const detail = useErrorText(toSentence(check.detail, check));
  return (
    <li className="grid content-start gap-1 rounded-lg border border-hairline bg-raised p-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{partName(texts, name)}</span>
        <span className="text-xs text-muted tabular-nums">
          {texts.latency(formatNumber(check.latencyMs, { maximumFractionDigits: 1 }))}
        </span>
      </p>
      <Status kind={check.status} label={texts.states[check.status]} />
      {detail && <p className="text-xs text-muted wrap-anywhere">{detail}</p>}
    </li>
  );
}

const SERVICE = /^service (?<name>.+)$/;

function partName(texts: ReturnType<typeof useSystemTexts>, name: string): string {
  const service = SERVICE.exec(name)?.groups?.["name"];
  return service ? serviceName(texts, service) : nameOf(texts.names, name);
}

function serviceName(texts: ReturnType<typeof useSystemTexts>, name: string): string {
  return texts.service(nameOf(texts.serviceNames, name), name);
}

const SECOND_MS = 1_000;

/** Each background job with its last run. Failed ones come first. */
function JobsTable({ jobs }: { jobs: readonly Job[] }) {
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
        lastDurationMs === null ? "–" : formatRoughDuration(lastDurationMs),
    },
    {
      key: "every",
      label: texts.every,
      isNumber: true,
      cell: ({ intervalMs }) => formatRoughDuration(intervalMs),
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
