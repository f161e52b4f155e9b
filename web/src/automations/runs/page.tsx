import { useNavigate, useSearch, Link } from "@tanstack/react-router";
import { FileUp, Play, Search, RotateCw } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { startUpper } from "../../texts/start-upper.ts";
import { PickField } from "../../ui/pick-field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { isStatus, type RunFilter, STATUSES } from "../filters.ts";
import {
  isRetried,
  runsQuery,
  type RunSummary,
  sendMedium,
  deleteRun,
  retryRun,
} from "./queries.ts";
import { useRunTexts } from "./texts.ts";
import { isolate } from "../../texts/isolate.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { type Chosen, useChosen } from "../../ui/use-chosen.ts";
import { ChosenItem } from "../chosen-item.tsx";
import { RunMenu } from "./run-menu.tsx";
import { Cause, RunState } from "./state.tsx";
import { titleOf } from "./title-of.ts";
import { Field, INPUT_LOOK } from "../../ui/field.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { Progress } from "../../ui/progress.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAutomationChange, AUTOMATION_KEYS } from "../use-automation-change.ts";
import { ActionsBar } from "../../shell/bulk/actions-bar.tsx";
import { BAR_IN_MARGIN } from "../../ui/chosen-row.ts";

/** The runs of media and schedules, with their results. */
export function RunsPage() {
  const texts = useRunTexts();
  const filter = useSearch({ from: "/app/automations/runs" });
  const list = useList(runsQuery(filter));
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  const isEmpty = list.data?.total === 0;
  const [isSending, setSending] = useState(false);
  const send = usePermission("automation:run") && (
    <Button look="primary" onClick={() => setSending(true)}>
      <FileUp aria-hidden size={16} />
      {texts.send}
    </Button>
  );
  return (
    <Frame actions={!isEmpty && send}>
      {(isNarrowed || !isEmpty) && <Filters filter={filter} />}
      {list.isPending && <Loading shape="list" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !isEmpty && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <Rows list={list} runs={list.data?.items ?? []} />
      {isEmpty && (
        <Empty
          icon={isNarrowed ? Search : Play}
          {...(!isNarrowed && { picture: "rows" })}
          title={isNarrowed ? texts.nothing : texts.empty}
          action={send}
        >
          {isNarrowed ? texts.nothingHint : texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isSending && <SendDialog onClose={() => setSending(false)} />}
    </Frame>
  );
}

/** Rows with checkboxes. The chosen runs that have ended are retried or deleted together. */
function Rows({ list, runs }: Omit<ComponentProps<typeof BulkBar>, "chosen">) {
  const mayRun = usePermission("automation:run");
  const mayDelete = usePermission("automation:delete");
  const ended = runs.filter(
    (run) => run.endedAt !== null && (mayDelete || (mayRun && isRetried(run))),
  );
  const chosen = useChosen(ended.map(({ id }) => id));
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <BulkBar list={list} chosen={chosen} runs={ended} />
      <ul className="divide-y divide-hairline">
        {runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            chosen={ended.length > 0 ? chosen : undefined}
            isChangeable={ended.includes(run)}
          />
        ))}
      </ul>
    </div>
  );
}

function Filters({ filter }: { filter: RunFilter }) {
  const texts = useRunTexts();
  const navigate = useNavigate();
  const { state, ...origin } = filter;
  const narrow = (search: RunFilter) =>
    void navigate({ to: "/automations/runs", search, replace: true });
  const only =
    (origin.rule !== undefined && texts.ofRule) ||
    (origin.source && texts.ofSource) ||
    (origin.schedule && texts.ofSchedule);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <PickField
        label={texts.status}
        value={state ?? ""}
        onChange={({ target }) =>
          narrow({ ...origin, state: isStatus(target.value) ? target.value : undefined })
        }
      >
        <option value="">{texts.anyStatus}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {startUpper(texts.statuses[one])}
          </option>
        ))}
      </PickField>
      {only && (
        <p className="flex flex-wrap items-center gap-2">
          {only}
          <Button look="quiet" onClick={() => narrow({ state })}>
            {texts.showAll}
          </Button>
        </p>
      )}
    </div>
  );
}

interface RunRowProps {
  run: RunSummary;
  chosen: Chosen | undefined;
  isChangeable: boolean;
}

/** A run in the list: its subject, its state, and the reason. */
function RunRow({ run, chosen, isChangeable }: RunRowProps) {
  const texts = useRunTexts();
  const { id, status, name, ruleId, scheduleId, origin, createdAt, error } = run;
  const title = titleOf(run);
  const scheduleCause = scheduleId === null ? "" : texts.bySchedule(isolate(name));
  const cause = ruleId === null ? scheduleCause : texts.byRule(isolate(name));
  return (
    <ChosenItem id={id} name={title} chosen={chosen} isChangeable={isChangeable}>
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
    </ChosenItem>
  );
}

/** Sends a file as a medium, then shows its run. */
function SendDialog({ onClose }: { onClose: () => void }) {
  const texts = useRunTexts();
  const navigate = useNavigate();
  const [sent, setSent] = useState(0);
  const send = useAutomationChange(
    (fields: FormData) =>
      sendMedium(fields.get("file") as File, {
        // the value of a file input
        fields: { origin: textOf(fields, "origin"), tags: textOf(fields, "tags") },
        onProgress: setSent,
      }),
    ({ runId }) => void navigate({ to: "/automations/runs/$id", params: { id: runId } }),
  );
  return (
    <FormDialog
      title={texts.send}
      action={texts.send}
      busy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate(fields)}
      onClose={onClose}
    >
      <p className="text-muted">{texts.sendHint}</p>
      <Field label={texts.file}>
        {(control) => (
          <input {...control} type="file" name="file" required className={INPUT_LOOK} />
        )}
      </Field>
      <TextField
        label={texts.origin}
        hint={texts.originHint}
        name="origin"
        defaultValue="upload"
        maxLength={2_000}
        required
      />
      <TextField label={texts.tags} hint={texts.tagsHint} name="tags" maxLength={2_000} />
      {send.isPending && <Progress label={texts.sending} value={sent} />}
    </FormDialog>
  );
}

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list that can be chosen. */
  runs: readonly RunSummary[];
}

/** Retries what failed of the chosen runs, or deletes those that have ended. */
function BulkBar({ list, chosen, runs }: BulkBarProps) {
  const texts = useRunTexts();
  const mayRun = usePermission("automation:run");
  const mayDelete = usePermission("automation:delete");
  const some = runs.filter(({ id }) => chosen.has(id));
  const itemsOf = (of: readonly RunSummary[]) =>
    of.map((run) => ({ id: run.id, name: titleOf(run) }));
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      className={BAR_IN_MARGIN}
      keys={AUTOMATION_KEYS}
      actions={[
        {
          key: "retry",
          label: texts.retry,
          icon: RotateCw,
          items: mayRun ? itemsOf(some.filter(isRetried)) : [],
          act: retryRun,
          done: texts.manyRetried,
        },
      ]}
      deletion={{
        label: texts.delete,
        items: mayDelete ? itemsOf(some) : [],
        act: deleteRun,
        done: texts.manyDeleted,
        asks: { title: texts.deleteManyTitle, text: texts.deleteManyText },
      }}
    />
  );
}
