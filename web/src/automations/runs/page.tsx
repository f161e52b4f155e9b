import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileUp, Play, Search } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { type RunFilter, runsQuery } from "./queries.ts";
import { RunRow } from "./row.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { isStatus, STATUSES } from "./statuses.ts";
import { useRunTexts } from "./texts.ts";

/** The runs of media and schedules, with their results. */
export function RunsPage() {
  const texts = useRunTexts();
  const filter = useSearch({ from: "/app/automations/runs" });
  const list = useList(runsQuery(filter));
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  const isEmpty = list.data?.total === 0;
  return (
    <Frame actions={list.data && !isEmpty && <Send />}>
      {(isNarrowed || !isEmpty) && <Filters filter={filter} />}
      {list.isPending && <Loading lines={8} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !isEmpty && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
      {isEmpty && (
        <Empty
          icon={isNarrowed ? Search : Play}
          title={isNarrowed ? texts.nothing : texts.empty}
          action={<Send />}
        >
          {isNarrowed ? texts.nothingHint : texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
    </Frame>
  );
}

function Send() {
  const texts = useRunTexts();
  const [isSending, setSending] = useState(false);
  if (!usePermission("automation:run")) return null;
  return (
    <>
      <Button look="primary" onClick={() => setSending(true)}>
        <FileUp aria-hidden size={16} />
        {texts.send}
      </Button>
      {isSending && <SendDialog onClose={() => setSending(false)} />}
    </>
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
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label={texts.status}
        value={state ?? ""}
        onChange={({ target }) =>
          narrow({ ...origin, state: isStatus(target.value) ? target.value : undefined })
        }
      >
        <option value="">{texts.anyStatus}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {texts.statuses[one]}
          </option>
        ))}
      </SelectField>
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
