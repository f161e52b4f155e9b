import { useQuery } from "@tanstack/react-query";
import { Globe, Plus } from "lucide-react";
import { useState } from "react";
import { awaitsFirst } from "../../shell/awaits-first.ts";
import { useList } from "../../shell/use-list.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatNumber, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { toReportedFailure } from "../../api/failure.ts";
import { EngineActions } from "./engine-actions.tsx";
import { EngineDialog } from "./engine-dialog.tsx";
import { type Engine, engineKindsQuery, enginesQuery } from "./queries.ts";
import { useEngineTexts } from "./texts.ts";

/** The search engines of the web, in the order in which they are asked. */
export function SearchEngines() {
  const texts = useEngineTexts();
  const found = useList(enginesQuery);
  // what kinds are called stands in each row
  const list = awaitsFirst(useQuery(engineKindsQuery))
    ? { ...found, isPending: true, data: undefined }
    : found;
  const [isAdding, setAdding] = useState(false);
  const engines = list.data?.items ?? [];
  const own = engines.filter(({ fromEnvironment }) => !fromEnvironment);
  const isEmpty = list.data?.total === 0;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden size={16} />
      {texts.add}
    </Button>
  );
  return (
    <PartSection title={texts.title} hint={texts.hint} actions={!isEmpty && add}>
      {list.isPending && <Loading shape="list" lines={3} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty && (
        <Empty icon={Globe} picture="rows" title={texts.none} action={add}>
          {texts.noneHint}
        </Empty>
      )}
      <ol className="grid gap-3">
        {engines.map((engine, at) => (
          <EngineRow key={engine.id} engine={engine} position={at + 1} own={own} />
        ))}
      </ol>
      <More list={list} />
      {isAdding && <EngineDialog onClose={() => setAdding(false)} />}
    </PartSection>
  );
}

interface EngineRowProps {
  engine: Engine;
  position: number;
  /** All that are not of the environment, in their order. */
  own: readonly Engine[];
}

function EngineRow({ engine, position, own }: EngineRowProps) {
  const texts = useEngineTexts();
  const { name, kind, config, enabled, fromEnvironment, state } = engine;
  const { remaining, restsUntil } = state;
  const kinds = useQuery(engineKindsQuery).data;
  const title = kinds?.find((one) => one.kind === kind)?.title ?? kind;
  const problem = useErrorText(state.problem && toReportedFailure(state.problem));
  return (
    <li className="flex items-center gap-3 rounded-lg border border-hairline bg-raised py-3 pr-2 pl-4">
      <span
        aria-label={texts.position(formatNumber(position))}
        className="text-muted tabular-nums"
      >
        {formatNumber(position)}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <p className="truncate font-medium">
            <bdi>{name}</bdi>
          </p>
          <p className="truncate text-xs text-muted">
            {title}
            {config["baseUrl"] && (
              <>
                {" · "}
                <bdi>{config["baseUrl"]}</bdi>
              </>
            )}
          </p>
          {problem && <p className="text-xs wrap-anywhere text-warn">{problem}</p>}
        </div>
        <span className="flex flex-wrap gap-1">
          {remaining !== undefined && (
            <Badge>{texts.remaining(formatNumber(remaining))}</Badge>
          )}
          {restsUntil && <Badge look="warn">{texts.rests(formatTime(restsUntil))}</Badge>}
          {fromEnvironment && (
            <Badge title={texts.fromEnvironmentHint}>{texts.fromEnvironment}</Badge>
          )}
          {enabled ? (
            <Badge>{texts.enabled}</Badge>
          ) : (
            <Badge look="warn">{texts.disabled}</Badge>
          )}
        </span>
      </div>
      <EngineActions engine={engine} own={own} />
    </li>
  );
}
