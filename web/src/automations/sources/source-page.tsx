import { useQuery } from "@tanstack/react-query";
import { useParams, Link } from "@tanstack/react-router";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { Cause } from "../runs/state.tsx";
import {
  sourceQuery,
  renewSecret,
  type ItemState,
  itemsQuery,
  type SourceItem,
} from "./queries.ts";
import { SourceForm } from "./source-form.tsx";
import { useSourceTexts } from "./texts.ts";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { AUTOMATION_KEYS } from "../use-automation-change.ts";
import { Section } from "../../ui/section.tsx";
import { Example } from "./example.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { startUpper } from "../../texts/start-upper.ts";
import { SelectField } from "../../ui/select-field.tsx";

/** `/automations/sources/$id`: what a source watches, and what became of what it found. */
export function SourcePage() {
  const texts = useSourceTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(sourceQuery(id));
  return (
    <Page
      title={data?.name ?? texts.back}
      back={{ to: "/automations/sources", label: texts.back }}
    >
      <div className="grid grid-cols-1 gap-8">
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading shape="fields" lines={4} />}
        {data && (
          <>
            <Cause error={data.error} />
            {data.kind === "webhook" && <Webhook id={data.id} url={data.url} />}
            <SourceForm key={data.id} source={data} />
            {data.kind !== "webhook" && <Items sourceId={data.id} />}
          </>
        )}
      </div>
    </Page>
  );
}

/** How other programs send to a webhook. */
function Webhook({ id, url }: { id: string; url: string }) {
  const texts = useSourceTexts();
  const mayRenew = usePermission("automation:update");
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title={texts.webhook}
      hint={texts.webhookHint}
      actions={
        mayRenew && <Button onClick={() => setAsking(true)}>{texts.newSecret}</Button>
      }
    >
      <Example url={url} />
      {isAsking && (
        <ConfirmChange
          title={texts.newSecretTitle}
          text={texts.newSecretText}
          action={texts.newSecret}
          run={() => renewSecret(id)}
          keys={AUTOMATION_KEYS}
          onDone={(made) => setSecret(made.secret)}
          onClose={() => setAsking(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog url={url} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Section>
  );
}

const STATES: readonly ItemState[] = ["taken", "refused", "seen"];

/** The files that were found in a folder or bucket. */
function Items({ sourceId }: { sourceId: string }) {
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
          {startUpper(texts.itemStates[one])}
        </option>
      ))}
    </SelectField>
  );
  return (
    <Section title={texts.items} hint={texts.itemsHint} actions={filter}>
      {list.isPending && <Loading shape="list" lines={4} />}
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
      isUnsaid: ({ runId }) => !runId,
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
