import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Cause } from "../runs/state.tsx";
import { type ItemState, itemsQuery, type SourceItem } from "./queries.ts";
import { useSourceTexts } from "./texts.ts";

const STATES: readonly ItemState[] = ["taken", "refused", "seen"];

/** The files that were found in a folder or bucket. */
export function Items({ sourceId }: { sourceId: string }) {
  const texts = useSourceTexts();
  const [state, setState] = useState<ItemState>();
  const list = useList(itemsQuery(sourceId, state));
  const filter = (
    <SelectField
      label={texts.itemState}
      value={state ?? ""}
      onChange={({ target }) => setState(STATES.find((one) => one === target.value))}
    >
      <option value="">{texts.anyState}</option>
      {STATES.map((one) => (
        <option key={one} value={one}>
          {texts.itemStates[one]}
        </option>
      ))}
    </SelectField>
  );
  return (
    <Section title={texts.items} hint={texts.itemsHint} actions={filter}>
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <p className="text-muted">{texts.noItems}</p>}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.items}
          columns={columnsOf(texts)}
          rows={list.data.items}
          keyOf={({ key }) => key}
        />
      )}
      <More list={list} />
    </Section>
  );
}

function columnsOf(texts: ReturnType<typeof useSourceTexts>): Column<SourceItem>[] {
  return [
    { key: "key", label: texts.itemKey, cell: ({ key }) => <bdi>{key}</bdi> },
    {
      key: "state",
      label: texts.itemState,
      cell: ({ state, error }) => (
        <div>
          {texts.itemStates[state]}
          <Cause error={error} />
        </div>
      ),
    },
    {
      key: "seen",
      label: texts.itemSeen,
      cell: ({ seenAt }) => <span title={formatTime(seenAt)}>{formatAgo(seenAt)}</span>,
    },
    {
      key: "run",
      label: texts.showRun,
      hideLabel: true,
      cell: ({ runId }) =>
        runId && (
          <Link
            to="/automations/runs/$id"
            params={{ id: runId }}
            className="text-accent underline"
          >
            {texts.showRun}
          </Link>
        ),
    },
  ];
}
