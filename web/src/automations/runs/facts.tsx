import { Link } from "@tanstack/react-router";
import { formatAgo, formatBytes, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { formatDuration } from "../../texts/format-duration.ts";
import type { Run } from "./queries.ts";
import { Cause, RunState } from "./state.tsx";
import { useRunTexts } from "./texts.ts";

const LINK = "text-accent underline";

/** The state of a run, its subject, and what started it. */
export function Facts({ run }: { run: Run }) {
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
