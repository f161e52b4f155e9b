import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { AgentList } from "./agent-list.tsx";
import { Facts } from "./facts.tsx";
import { type Run, runQuery } from "./queries.ts";
import { RunGraph } from "./run-graph.tsx";
import { RunMenu } from "./run-menu.tsx";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";
import { Transcript } from "./transcript.tsx";
import { useAgentNames } from "./use-agent-names.ts";
import { useProgress } from "./use-progress.ts";
import { useRunActions } from "./use-run-actions.ts";

/** `/automations/runs/$id`: what happens to one medium, while it happens. */
export function RunPage() {
  const texts = useRunTexts();
  const { id = "" } = useParams({ strict: false });
  const { data: run, error, refetch } = useQuery(runQuery(id));
  return (
    <Page title={run ? titleOf(run) : texts.back} actions={run && <Actions run={run} />}>
      <div className="mx-auto grid max-w-4xl grid-cols-1 gap-6">
        <BackLink to="/automations/runs" label={texts.back} />
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!run && !error && <Loading />}
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
