import { useNavigate, Link } from "@tanstack/react-router";
import { CalendarClock, Plus } from "lucide-react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import {
  schedulesQuery,
  changeSchedule,
  deleteSchedule,
  runSchedule,
  type Schedule,
} from "./queries.ts";
import { useScheduleTexts } from "./texts.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { notify } from "../../ui/notices.tsx";
import { type Chosen, useChosen } from "../../ui/use-chosen.ts";
import { BulkBar } from "../bulk-bar.tsx";
import { ChosenItem, useMayTidy } from "../chosen-item.tsx";
import { RowMenu } from "../row-menu.tsx";
import { Cause } from "../runs/state.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange } from "../use-automation-change.ts";
import { describeCron } from "./describe-cron.ts";

/** What starts agents by the clock. */
export function SchedulesPage() {
  const texts = useScheduleTexts();
  const list = useList(schedulesQuery);
  const schedules = list.data?.items ?? [];
  const chosen = useChosen(schedules.map(({ id }) => id));
  const mayTidy = useMayTidy();
  const isEmpty = list.data?.total === 0;
  return (
    <Frame actions={!isEmpty && <NewSchedule />}>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {mayTidy && (
          <BulkBar
            list={list}
            chosen={chosen}
            items={schedules}
            change={(id, isActive) => changeSchedule(id, { isActive })}
            remove={deleteSchedule}
          />
        )}
        <ul className="divide-y divide-hairline">
          {schedules.map((schedule) => (
            <ScheduleRow
              key={schedule.id}
              schedule={schedule}
              chosen={mayTidy ? chosen : undefined}
            />
          ))}
        </ul>
      </div>
      {isEmpty && (
        <Empty
          icon={CalendarClock}
          picture="rows"
          title={texts.empty}
          action={<NewSchedule />}
        >
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
    </Frame>
  );
}

function NewSchedule() {
  const texts = useScheduleTexts();
  const navigate = useNavigate();
  if (!usePermission("automation:create")) return null;
  return (
    <Button
      look="primary"
      onClick={() => void navigate({ to: "/automations/schedules/new" })}
    >
      <Plus aria-hidden size={16} />
      {texts.new}
    </Button>
  );
}

interface ScheduleRowProps {
  schedule: Schedule;
  chosen: Chosen | undefined;
}

/** A schedule in the list: its next run, and the result of the last one. */
function ScheduleRow({ schedule, chosen }: ScheduleRowProps) {
  const texts = useScheduleTexts();
  const shared = useAutomationTexts();
  const { id, name, cron, timeZone, isActive, nextAt, lastAt, lastRunId, error } = schedule;
  const sentence = describeCron(cron);
  return (
    <ChosenItem id={id} name={name} chosen={chosen}>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <Link
            to="/automations/schedules/$id"
            params={{ id }}
            title={name}
            className="min-h-6 max-w-full truncate font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          {!isActive && <Badge look="warn">{shared.inactive}</Badge>}
        </p>
        <p className="wrap-anywhere text-muted">
          {sentence && `${sentence} · `}
          {timeZone} · <code className="font-mono text-xs">{cron}</code>
        </p>
        <p className="text-xs text-muted">
          {nextAt ? texts.next(formatTime(nextAt)) : texts.noNext}
          {lastAt && lastRunId && (
            <>
              {" · "}
              <Link
                to="/automations/runs/$id"
                params={{ id: lastRunId }}
                title={formatTime(lastAt)}
                className="underline"
              >
                {texts.last} {formatAgo(lastAt)}
              </Link>
            </>
          )}
        </p>
        <Cause error={error} />
      </div>
      <ScheduleMenu schedule={schedule} />
    </ChosenItem>
  );
}

function ScheduleMenu({ schedule }: { schedule: Schedule }) {
  const texts = useScheduleTexts();
  const navigate = useNavigate();
  const mayRun = usePermission("automation:run");
  const { id, name, isActive } = schedule;
  const run = useRowChange(
    () => runSchedule(id),
    ({ runId }) => {
      notify(texts.started);
      void navigate({ to: "/automations/runs/$id", params: { id: runId } });
    },
  );
  const toggle = useRowChange(() => changeSchedule(id, { isActive: !isActive }));
  const showRuns = () =>
    void navigate({ to: "/automations/runs", search: { schedule: id } });
  return (
    <RowMenu
      name={name}
      isActive={isActive}
      onEdit={() => void navigate({ to: "/automations/schedules/$id", params: { id } })}
      onToggle={toggle}
      more={[
        ...(mayRun ? [{ key: "run", label: texts.runNow, onChoose: run }] : []),
        { key: "runs", label: texts.runs, onChoose: showRuns },
      ]}
      deletion={{
        title: texts.deleteTitle,
        text: texts.deleteText(name),
        done: texts.deleted,
        run: () => deleteSchedule(id),
      }}
    />
  );
}
