import { useQuery } from "@tanstack/react-query";
import { toSentence } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatDuration, formatNumber } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { JobsTable } from "./jobs-table.tsx";
import { type Health, healthQuery } from "./queries.ts";
import { useSystemTexts } from "./texts.ts";

/** The parts of the installation with their state, and the background jobs; refreshed regularly. */
export function SystemPage() {
  const texts = useSystemTexts();
  const { data, error, refetch } = useQuery(healthQuery);
  if (!data && error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={8} className="px-0" />;
  return (
    <>
      <Section
        title={texts.title}
        hint={texts.about(data.version, formatDuration(data.uptime))}
      >
        <Status kind={data.status} label={texts.overall[data.status]} />
        <p className="text-xs text-muted">{data.services.join(", ")}</p>
      </Section>
      <Section title={texts.parts} hint={texts.partsHint}>
        <Checks checks={data.checks} />
      </Section>
      <Section title={texts.jobs} hint={texts.jobsHint}>
        {data.unreachable.length > 0 && (
          <Status kind="down" label={texts.jobsMissing(data.unreachable.join(", "))} />
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
  return service ? texts.service(service) : nameOf(texts.names, name);
}
