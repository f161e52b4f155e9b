import { Link } from "@tanstack/react-router";
import { isolate } from "../../texts/isolate.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import type { RunSummary } from "./queries.ts";
import { RunMenu } from "./run-menu.tsx";
import { Cause, RunState } from "./state.tsx";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";

/** A run in the list: its subject, its state, and the reason. */
export function RunRow({ run }: { run: RunSummary }) {
  const texts = useRunTexts();
  const { id, status, name, ruleId, scheduleId, origin, createdAt, error } = run;
  const title = titleOf(run);
  const scheduleCause = scheduleId === null ? "" : texts.bySchedule(isolate(name));
  const cause = ruleId === null ? scheduleCause : texts.byRule(isolate(name));
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_13rem]">
        <div className="min-w-0">
          <Link
            to="/automations/runs/$id"
            params={{ id }}
            title={title}
            className="block min-h-6 truncate font-medium hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
          <p className="truncate text-xs text-muted" title={`${isolate(origin)} ${cause}`}>
            <bdi>{origin}</bdi>
            {cause && ` · ${cause}`}
          </p>
        </div>
        <div className="text-xs">
          <p className="flex flex-wrap items-center gap-x-1.5">
            <RunState status={status} />
            <span className="text-muted" title={formatTime(createdAt)}>
              {formatAgo(createdAt)}
            </span>
          </p>
          <Cause error={error} />
        </div>
      </div>
      <RunMenu run={run} title={title} />
    </li>
  );
}
