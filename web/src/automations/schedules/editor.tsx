import { useNavigate, useParams } from "@tanstack/react-router";
import { usePermission } from "../../shell/queries.ts";
import { useFormDraft } from "../../shell/use-form-draft.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { notify } from "../../ui/notices.tsx";
import { EditorForm } from "../editor-form.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange } from "../use-automation-change.ts";
import {
  changeSchedule,
  createSchedule,
  type Schedule,
  scheduleQuery,
  nextTimesQuery,
} from "./queries.ts";
import { useScheduleTexts } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { useSettled } from "../../shell/use-settled.ts";
import { formatTime } from "../../texts/format.ts";
import { currentLocale } from "../../texts/language.ts";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { describeCron } from "./describe-cron.ts";
import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Permitted } from "../../shell/permitted.tsx";
import { Page } from "../../ui/page.tsx";

export type Fields = Pick<
  Schedule,
  "name" | "cron" | "timeZone" | "input" | "agents" | "isActive"
>;

/** Edits a schedule, beside a preview of its next times. */
export function Editor({ schedule }: { schedule: Schedule | undefined }) {
  const texts = useScheduleTexts();
  const shared = useAutomationTexts();
  const navigate = useNavigate();
  const readNewest = useNewest(scheduleQuery(schedule?.id ?? ""));
  const form = useFormDraft<Fields>(
    `schedule-${schedule?.id ?? "new"}`,
    schedule ? toFields(schedule) : emptySchedule(),
  );
  const mayWrite = usePermission(schedule ? "automation:update" : "automation:create");
  const save = useAutomationChange<void>(
    async () => {
      if (!schedule) {
        await createSchedule(form.values);
        return;
      }
      const { when: cron, timeZone, input, switchedOn: isActive } = texts;
      const agents = shared.agents.title;
      const { changes } = await form.toSave(async () => toFields(await readNewest()), {
        name: shared.name,
        cron,
        timeZone,
        input,
        isActive,
        agents,
      });
      await changeSchedule(schedule.id, changes);
    },
    () => {
      form.forget();
      notify(texts.saved);
      void navigate({ to: "/automations/schedules" });
    },
  );
  const { values } = form;
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <EditorForm
        form={form}
        mayWrite={mayWrite}
        save={save}
        fields={<ScheduleFields values={values} onChange={form.change} />}
      />
      <NextTimes cron={values.cron} timeZone={values.timeZone} />
    </div>
  );
}

function emptySchedule(): Fields {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { name: "", cron: "", timeZone, input: "", agents: [], isActive: true };
}

function toFields({ name, cron, timeZone, input, agents, isActive }: Schedule): Fields {
  return { name, cron, timeZone, input, agents, isActive };
}

/** The next five times, in the reader's own time zone. */
function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const texts = useScheduleTexts();
  const settled = useSettled({ cron, timeZone });
  const { data, error } = useQuery(nextTimesQuery(settled));
  const sentence = describeCron(settled.cron);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section title={texts.preview} hint={texts.previewHint(zone)}>
      {settled.cron.trim() === "" && <p className="text-muted">{texts.writeFirst}</p>}
      {error ? (
        <Problem error={error} />
      ) : (
        settled.cron.trim() !== "" && (
          <div aria-live="polite" className="grid grid-cols-1 gap-3">
            {sentence && <p className="font-medium">{sentence}</p>}
            <ol className="grid grid-cols-1 gap-1">
              {data?.nextTimes.map((time) => (
                <li key={time} className="tabular-nums">
                  <time dateTime={time}>
                    {weekdayOf(time)}, {formatTime(time)}
                  </time>
                </li>
              ))}
            </ol>
          </div>
        )
      )}
    </Section>
  );
}

function weekdayOf(time: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { weekday: "long" }).format(
    new Date(time),
  );
}

interface ScheduleFieldsProps {
  values: Fields;
  onChange: (changed: Partial<Fields>) => void;
}

/** When a schedule runs, and the input of its agents. */
function ScheduleFields({ values, onChange }: ScheduleFieldsProps) {
  const texts = useScheduleTexts();
  const shared = useAutomationTexts();
  const zonesId = useId();
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label={shared.name}
        value={values.name}
        maxLength={200}
        required
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <div className="grid grid-cols-1 gap-2">
        <TextField
          label={texts.when}
          hint={texts.cronHint}
          value={values.cron}
          maxLength={200}
          required
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ cron: target.value })}
        />
        <Presets onChoose={(cron) => onChange({ cron })} />
      </div>
      <TextField
        label={texts.timeZone}
        hint={texts.timeZoneHint}
        value={values.timeZone}
        maxLength={100}
        required
        list={zonesId}
        autoComplete="off"
        onChange={({ target }) => onChange({ timeZone: target.value })}
      />
      <datalist id={zonesId}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextArea
        label={texts.input}
        value={values.input}
        maxLength={100_000}
        required
        onChange={({ target }) => onChange({ input: target.value })}
      />
      <Checkbox
        label={texts.switchedOn}
        checked={values.isActive}
        onChange={({ target }) => onChange({ isActive: target.checked })}
      />
    </div>
  );
}

function Presets({ onChoose }: { onChoose: (cron: string) => void }) {
  const texts = useScheduleTexts();
  return (
    <ul aria-label={texts.examples} className="flex flex-wrap gap-2">
      {Object.entries(texts.presets).map(([cron, label]) => (
        <li key={cron}>
          <Button className="text-xs" onClick={() => onChoose(cron)}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** `/automations/schedules/new`: a schedule is written. */
export function NewSchedulePage() {
  const texts = useScheduleTexts();
  return (
    <Page title={texts.new} back={{ to: "/automations/schedules", label: texts.back }}>
      <div className="grid grid-cols-1 gap-4">
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
    <Page
      title={data?.name ?? texts.back}
      back={{ to: "/automations/schedules", label: texts.back }}
    >
      <div className="grid grid-cols-1 gap-4">
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading shape="fields" lines={5} />}
        {data && <Editor key={data.id} schedule={data} />}
      </div>
    </Page>
  );
}
