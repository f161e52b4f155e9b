import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { formatDuration } from "../../texts/format-duration.ts";
import { isolate } from "../../texts/isolate.ts";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { agentNamesQuery } from "../agent-queries.ts";
import { Cause, RunState, StepState } from "../runs/state.tsx";
import { useAutomationTexts } from "../texts.ts";
import { type RuleRun, runsOfRuleQuery } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";

/** How a rule's runs went, whoever sent the media. The media themselves are their senders'. */
export function RuleRuns() {
  const texts = useRuleTexts();
  const { id = "" } = useParams({ strict: false });
  const list = useList(runsOfRuleQuery(id));
  const items = list.data?.items ?? [];
  const agents = items.flatMap((run) => run.agents.map(({ agentId }) => agentId));
  const { data: names } = useQuery(agentNamesQuery([...new Set(agents)].toSorted()));
  return (
    <Section title={texts.tabs.runs} isNamedAbove hint={texts.runsHint}>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p className="text-xs text-muted" role="status">
          {texts.countRuns(list.data.total)}
        </p>
      )}
      <ul className="divide-y divide-hairline" aria-label={texts.tabs.runs}>
        {items.map((run) => (
          <Row key={run.id} run={run} names={names} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty icon={Play} picture="rows" title={texts.noRuns}>
          {texts.noRunsHint}
        </Empty>
      )}
      <More list={list} />
    </Section>
  );
}

interface RowProps {
  run: RuleRun;
  names: ReadonlyMap<string, string> | undefined;
}

function Row({ run, names }: RowProps) {
  const { createdAt, endedAt, status, error, agents } = run;
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const tookMs = endedAt === null ? undefined : Date.parse(endedAt) - Date.parse(createdAt);
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[14rem_minmax(0,1fr)]">
      <div>
        <RunState status={status} />
        <p className="text-xs text-muted" title={formatTime(createdAt)}>
          {formatAgo(createdAt)}
          {tookMs !== undefined && ` · ${texts.took(formatDuration(tookMs))}`}
        </p>
        <Cause error={error} />
      </div>
      <ul className="grid gap-1">
        {agents.map((agent) => (
          <li key={agent.agentId} className="min-w-0">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="truncate">
                {isolate(
                  names?.get(agent.agentId) ?? (names ? shared.agents.unknown : "…"),
                )}
              </span>
              <span className="text-xs">
                <StepState status={agent.status} />
              </span>
              {agent.tries > 1 && (
                <span className="text-xs text-muted">{texts.tries(agent.tries)}</span>
              )}
            </p>
            <Cause error={agent.error} />
          </li>
        ))}
      </ul>
    </li>
  );
}
