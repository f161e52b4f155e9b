import { Inbox, Plus } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import {
  sourcesQuery,
  changeSource,
  deleteSource,
  type Source,
  createSource,
  type CreatedSource,
  type NewSource,
} from "./queries.ts";
import { useSourceTexts } from "./texts.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Chosen, useChosen } from "../../ui/use-chosen.ts";
import { BulkBar } from "../bulk-bar.tsx";
import { ChosenItem, useMayTidy } from "../chosen-item.tsx";
import { RowMenu } from "../row-menu.tsx";
import { Cause } from "../runs/state.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange, useAutomationChange } from "../use-automation-change.ts";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** The sources from which media are received automatically. */
export function SourcesPage() {
  const texts = useSourceTexts();
  const list = useList(sourcesQuery);
  const sources = list.data?.items ?? [];
  const chosen = useChosen(sources.map(({ id }) => id));
  const mayTidy = useMayTidy();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = usePermission("automation:create");
  const isEmpty = list.data?.total === 0;
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.new}
    </Button>
  );
  return (
    <Frame actions={!isEmpty && create}>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {mayTidy && (
          <BulkBar
            list={list}
            chosen={chosen}
            items={sources}
            change={(id, isActive) => changeSource(id, { isActive })}
            remove={deleteSource}
          />
        )}
        <ul className="divide-y divide-hairline">
          {sources.map((source) => (
            <SourceRow
              key={source.id}
              source={source}
              chosen={mayTidy ? chosen : undefined}
            />
          ))}
        </ul>
      </div>
      {isEmpty && (
        <Empty icon={Inbox} picture="rows" title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isCreating && <NewSourceDialog onClose={() => setCreating(false)} />}
    </Frame>
  );
}

interface SourceRowProps {
  source: Source;
  chosen: Chosen | undefined;
}

/** A source in the list: what it watches, and whether that works. */
function SourceRow({ source, chosen }: SourceRowProps) {
  const texts = useSourceTexts();
  const shared = useAutomationTexts();
  const navigate = useNavigate();
  const { id, name, kind, origin, isActive, lookedAt, error } = source;
  const toggle = useRowChange(() => changeSource(id, { isActive: !isActive }));
  const open = () => void navigate({ to: "/automations/sources/$id", params: { id } });
  const showRuns = () => void navigate({ to: "/automations/runs", search: { source: id } });
  return (
    <ChosenItem id={id} name={name} chosen={chosen}>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <Link
            to="/automations/sources/$id"
            params={{ id }}
            title={name}
            className="min-h-6 max-w-full truncate font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          <Badge>{texts.kinds[kind]}</Badge>
          {!isActive && <Badge look="warn">{shared.inactive}</Badge>}
        </p>
        <p className="truncate text-muted" title={origin}>
          <bdi className="font-mono text-xs">{origin}</bdi>
        </p>
        {kind !== "webhook" && (
          <p
            className="text-xs text-muted"
            title={lookedAt ? formatTime(lookedAt) : undefined}
          >
            {lookedAt ? texts.looked(formatAgo(lookedAt)) : texts.notLooked}
          </p>
        )}
        <Cause error={error} />
      </div>
      <RowMenu
        name={name}
        isActive={isActive}
        onEdit={open}
        onToggle={toggle}
        more={[{ key: "runs", label: texts.runs, onChoose: showRuns }]}
        deletion={{
          title: texts.deleteTitle,
          text: texts.deleteText(name),
          done: texts.deleted,
          run: () => deleteSource(id),
        }}
      />
    </ChosenItem>
  );
}

/** Makes a source; the secret of a webhook is shown afterwards, once. */
function NewSourceDialog({ onClose }: { onClose: () => void }) {
  const texts = useSourceTexts();
  const shared = useAutomationTexts();
  const [kind, setKind] = useState<SourceKind>("webhook");
  const [made, setMade] = useState<CreatedSource>();
  const mayWatchFolders = usePermission("user:administer");
  const create = useAutomationChange(
    (fields: FormData) => createSource(readNewSource(kind, fields)),
    (source) => (source.kind === "webhook" ? setMade(source) : onClose()),
  );
  if (made?.kind === "webhook")
    return <SecretDialog url={made.url} secret={made.secret ?? ""} onClose={onClose} />;
  const kinds = (["webhook", "s3", "folder"] as const).filter(
    (one) => one !== "folder" || mayWatchFolders,
  );
  return (
    <FormDialog
      title={texts.new}
      action={texts.create}
      size="medium"
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) => create.mutate(fields)}
      onClose={onClose}
    >
      <TextField label={shared.name} name="name" maxLength={200} required autoFocus />
      <SelectField
        label={texts.kind}
        hint={texts.kindHints[kind]}
        value={kind}
        onChange={({ target }) =>
          setKind(kinds.find((one) => one === target.value) ?? "webhook")
        }
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {texts.kinds[one]}
          </option>
        ))}
      </SelectField>
      {kind !== "webhook" && <WatchedFields kind={kind} />}
      <TextField
        label={texts.origin}
        hint={texts.originHint}
        name="origin"
        maxLength={2_000}
      />
    </FormDialog>
  );
}

/** The place that is looked at, and how often. */
function WatchedFields({ kind }: { kind: "s3" | "folder" }) {
  const texts = useSourceTexts();
  return (
    <>
      {kind === "s3" && <BucketFields />}
      {kind === "folder" && (
        <TextField label={texts.path} name="path" maxLength={1_000} required />
      )}
      <TextField
        label={texts.every}
        name="every"
        type="number"
        min={1}
        max={86_400}
        defaultValue={30}
        required
      />
    </>
  );
}

function BucketFields() {
  const texts = useSourceTexts();
  const secrets = { autoComplete: "off", spellCheck: false, required: true } as const;
  return (
    <>
      <TextField
        label={texts.endpoint}
        name="endpoint"
        type="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        maxLength={500}
        required
      />
      <TextField label={texts.region} name="region" defaultValue="us-east-1" required />
      <TextField label={texts.bucket} name="bucket" maxLength={255} required />
      <TextField label={texts.prefix} name="prefix" maxLength={1_000} />
      <TextField
        label={texts.accessKeyId}
        name="accessKeyId"
        maxLength={200}
        {...secrets}
      />
      <PasswordField
        label={texts.secretAccessKey}
        name="secretAccessKey"
        maxLength={500}
        {...secrets}
      />
    </>
  );
}

type SourceKind = NewSource["kind"];

/** Reads the fields of a new source. */
function readNewSource(kind: SourceKind, fields: FormData): NewSource {
  const text = (name: string) => textOf(fields, name);
  const common = { name: text("name"), origin: text("origin") || undefined };
  const every = Number(fields.get("every"));
  if (kind === "webhook") return { ...common, kind };
  if (kind === "folder")
    return { ...common, kind, settings: { path: text("path"), every } };
  const settings = {
    endpoint: text("endpoint"),
    region: text("region"),
    bucket: text("bucket"),
    prefix: text("prefix"),
    accessKeyId: text("accessKeyId"),
    secretAccessKey: text("secretAccessKey"),
    every,
  };
  return { ...common, kind, settings };
}
