import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch, Link } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { type Run, runQuery, followRun, type RunEvent } from "./queries.ts";
import { RunMenu, useRunActions } from "./run-menu.tsx";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";
import { agentNamesQuery } from "../agent-queries.ts";
import { useAutomationTexts } from "../texts.ts";
import { useEffect } from "react";
import { Section } from "../../ui/section.tsx";
import { AgentCard } from "./agent-card.tsx";
import { Graph, type ShownNode } from "../../charts/graph.tsx";
import { RunState, StepState, Cause } from "./state.tsx";
import { formatAgo, formatBytes, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { formatDuration } from "../../texts/format-duration.ts";

/** `/automations/runs/$id`: what happens to one medium, while it happens. */
export function RunPage() {
  const texts = useRunTexts();
  const { id = "" } = useParams({ strict: false });
  const { data: run, error, refetch } = useQuery(runQuery(id));
  return (
    <Page
      title={run ? titleOf(run) : texts.back}
      back={{ to: "/automations/runs", label: texts.back }}
      actions={run && <Actions run={run} />}
    >
      <div className="grid grid-cols-1 gap-6">
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!run && !error && <Loading shape="list" lines={6} />}
        {run && <FirstAction run={run} className="sm:hidden" />}
        {run && <Content run={run} />}
      </div>
    </Page>
  );
}

function Content({ run }: { run: Run }) {
  const navigate = useNavigate();
  const { agent } = useSearch({ strict: false });
  useProgress(run.id, run.endedAt === null);
  const nameOf = useAgentNames(run);
  const select = (id: string | undefined) =>
    void navigate({
      to: ".",
      search: { agent: id === agent ? undefined : id },
      replace: true,
    });
  return (
    <>
      <Facts run={run} />
      {run.agents.length > 0 && (
        <>
          <RunGraph run={run} nameOf={nameOf} selected={agent} onSelect={select} />
          <AgentList run={run} nameOf={nameOf} selected={agent} onSelect={select} />
        </>
      )}
      <Transcript run={run} />
    </>
  );
}

/** Beside the title, or below it where there is no room. */
function FirstAction({ run, className }: { run: Run; className: string }) {
  const [first] = useRunActions(run);
  if (!first) return null;
  return (
    <Button look="primary" onClick={first.onChoose} className={className}>
      {first.label}
    </Button>
  );
}

function Actions({ run }: { run: Run }) {
  const navigate = useNavigate();
  const toList = () => void navigate({ to: "/automations/runs" });
  return (
    <>
      <FirstAction run={run} className="max-sm:hidden" />
      <RunMenu run={run} title={titleOf(run)} onDeleted={toList} />
    </>
  );
}

/** The names of a run's agents, as far as the person may see them. */
function useAgentNames({ agents }: Run): (id: string) => string {
  const texts = useAutomationTexts();
  const { data } = useQuery(agentNamesQuery(agents.map(({ agentId }) => agentId)));
  return (id) => data?.get(id) ?? (data ? texts.agents.unknown : "…");
}

/** Shows what the agents of a run do; at its end the run is read once more. */
function useProgress(id: string, isGoingOn: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isGoingOn) return undefined;
    const controller = new AbortController();
    const { queryKey } = runQuery(id);
    const follow = async () => {
      for await (const batch of followRun(id, controller.signal)) {
        queries.setQueryData(queryKey, (run: Run | undefined) =>
          batch.reduce((before, { event }) => before && applyEvent(before, event), run),
        );
      }
      await queries.invalidateQueries({ queryKey });
    };
    // if the stream is cut, the live changes of the page continue
    follow().catch(() => {});
    return () => controller.abort();
  }, [queries, id, isGoingOn]);
}

/** A run after an event of its stream. */
function applyEvent(run: Run, event: RunEvent): Run {
  if (event.type === "run") return { ...run, status: event.status, error: event.error };
  const { type: _, ...changed } = event;
  const agents = run.agents.map((agent) =>
    agent.agentId === changed.agentId ? { ...agent, ...changed } : agent,
  );
  return { ...run, agents };
}

/** The words of the medium, or the input of a schedule: what the agents received. */
function Transcript({ run }: { run: Run }) {
  const texts = useRunTexts();
  const { transcript, conversationId, medium } = run;
  if (transcript === null) return null;
  const open = conversationId && (
    <Link to="/c/$id" params={{ id: conversationId }} className="text-accent underline">
      {texts.openTranscript}
    </Link>
  );
  return (
    <Section title={medium ? texts.read : texts.input} actions={open}>
      <p
        dir="auto"
        tabIndex={0}
        className={
          "max-h-80 overflow-y-auto rounded-lg bg-sunken p-4 whitespace-pre-wrap wrap-anywhere"
        }
      >
        {transcript}
      </p>
    </Section>
  );
}

interface AgentListProps {
  run: Run;
  nameOf: (id: string) => string;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** The agents of a run in the order of its rule, each with what it wrote. */
function AgentList({ run, nameOf, selected, onSelect }: AgentListProps) {
  const texts = useRunTexts();
  const isOnly = run.agents.length === 1;
  return (
    <Section title={texts.agents}>
      <ul className="grid grid-cols-1 gap-3">
        {run.agents.map((agent) => (
          <AgentCard
            key={agent.agentId}
            agent={agent}
            nameOf={nameOf}
            isOpen={isOnly || agent.agentId === selected}
            onToggle={() => onSelect(agent.agentId)}
          />
        ))}
      </ul>
    </Section>
  );
}

/** The node of the medium, which every agent comes after. */
const MEDIUM = "medium";

interface RunGraphProps {
  run: Run;
  nameOf: (id: string) => string;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** The medium, then its agents in the order in which they follow each other. */
function RunGraph({ run, nameOf, selected, onSelect }: RunGraphProps) {
  const texts = useRunTexts();
  const isRead = run.transcript !== null;
  const medium: ShownNode = {
    id: MEDIUM,
    after: [],
    label: titleOf(run),
    note: isRead ? <StepState status="completed" /> : <RunState status={run.status} />,
  };
  const agents = run.agents.map(({ agentId, dependsOn, status }): ShownNode => ({
    id: agentId,
    after: dependsOn.length > 0 ? dependsOn : [MEDIUM],
    label: nameOf(agentId),
    note: <StepState status={status} />,
  }));
  return (
    <Graph
      label={texts.graph}
      nodes={[medium, ...agents]}
      selected={selected}
      onSelect={onSelect}
    />
  );
}

const LINK = "text-accent underline";

/** The state of a run, its subject, and what started it. */
function Facts({ run }: { run: Run }) {
  const texts = useRunTexts();
  const { status, medium, origin, createdAt, endedAt, error } = run;
  const durationMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(createdAt);
  const facts = [
    medium?.mimeType,
    medium && formatBytes(medium.size),
    isolate(medium?.path ?? origin),
    medium?.tags.map(isolate).join(", "),
  ].filter(Boolean);
  return (
    <div className="grid grid-cols-1 gap-1">
      <p className="flex flex-wrap items-center gap-x-2">
        <RunState status={status} />
        <span className="text-muted" title={formatTime(createdAt)}>
          {texts.began(formatAgo(createdAt))}
          {durationMs !== null && ` · ${texts.took(formatDuration(durationMs))}`}
        </span>
      </p>
      <p className="text-muted wrap-anywhere">{facts.join(" · ")}</p>
      <Origin run={run} />
      <Cause error={error} />
    </div>
  );
}

/** The rule, schedule or earlier run that started it. */
function Origin({ run }: { run: Run }) {
  const texts = useRunTexts();
  const { name, ruleId, scheduleId, sourceId, rerunOf, status } = run;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
      {status === "unmatched" && (
        <>
          {texts.noRule}
          <Link to="/automations/new" className={LINK}>
            {texts.writeRule}
          </Link>
        </>
      )}
      {ruleId !== null && (
        <Link to="/automations/$id" params={{ id: String(ruleId) }} className={LINK}>
          {texts.byRule(isolate(name))}
        </Link>
      )}
      {scheduleId !== null && (
        <Link to="/automations/runs" search={{ schedule: scheduleId }} className={LINK}>
          {texts.bySchedule(isolate(name))}
        </Link>
      )}
      {sourceId !== null && (
        <Link to="/automations/runs" search={{ source: sourceId }} className={LINK}>
          {texts.showSource}
        </Link>
      )}
      {rerunOf !== null && (
        <Link to="/automations/runs/$id" params={{ id: rerunOf }} className={LINK}>
          {texts.rerunOf}
        </Link>
      )}
    </p>
  );
}
