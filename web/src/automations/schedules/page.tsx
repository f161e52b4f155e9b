import { useNavigate } from "@tanstack/react-router";
import { CalendarClock, Plus } from "lucide-react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { schedulesQuery } from "./queries.ts";
import { ScheduleRow } from "./row.tsx";
import { useScheduleTexts } from "./texts.ts";

/** What starts agents by the clock. */
export function SchedulesPage() {
  const texts = useScheduleTexts();
  const list = useList(schedulesQuery);
  const isEmpty = list.data?.total === 0;
  return (
    <Frame actions={list.data && !isEmpty && <NewSchedule />}>
      {list.isPending && <Loading lines={6} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </ul>
      {isEmpty && (
        <Empty icon={CalendarClock} title={texts.empty} action={<NewSchedule />}>
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
