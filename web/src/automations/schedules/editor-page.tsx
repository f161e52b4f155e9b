import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Permitted } from "../../shell/permitted.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Editor } from "./editor.tsx";
import { scheduleQuery } from "./queries.ts";
import { useScheduleTexts } from "./texts.ts";

/** `/automations/schedules/new`: a schedule is written. */
export function NewSchedulePage() {
  const texts = useScheduleTexts();
  return (
    <Page title={texts.new}>
      <div className="grid grid-cols-1 gap-4">
        <BackLink to="/automations/schedules" label={texts.back} />
        <Permitted permission="automation:create">
          <Editor schedule={undefined} />
        </Permitted>
      </div>
    </Page>
  );
}

/** `/automations/schedules/$id`: a schedule is looked at and changed. */
export function SchedulePage() {
  const texts = useScheduleTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(scheduleQuery(id));
  return (
    <Page title={data?.name ?? texts.back}>
      <div className="grid grid-cols-1 gap-4">
        <BackLink to="/automations/schedules" label={texts.back} />
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading />}
        {data && <Editor key={data.id} schedule={data} />}
      </div>
    </Page>
  );
}
