import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime, formatNumber } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import {
  agentQuery,
  namesQuery,
  restoreVersion,
  type Version,
  versionsQuery,
  type AgentFields,
  agentFilesQuery,
  diffQuery,
  type FieldChange,
  useAgentChange,
} from "./queries.ts";
import { isEditable } from "./row-menu.tsx";
import { useAgentTexts } from "./texts.ts";
import { TextChanges } from "../ui/text-changes.tsx";

/** The versions of an agent, with a way to restore each. */
export function Versions() {
  const texts = useAgentTexts();
  const { id } = useParams({ from: "/app/agents/$id/versions" });
  const { from, to } = useSearch({ from: "/app/agents/$id/versions" });
  const list = useList(versionsQuery(id));
  const versions = list.data?.items ?? [];
  const { data: names } = useQuery(namesQuery(versions.map(({ changedBy }) => changedBy)));
  const newest = versions[0]?.version;
  const shown = { from: from ?? (newest ?? 0) - 1, to: to ?? newest ?? 0 };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {list.isPending && <Loading shape="list" lines={5} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {shown.from > 0 && <VersionDiff id={id} from={shown.from} to={shown.to} />}
      <ul aria-label={texts.tabs.versions} className="divide-y divide-hairline">
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            id={id}
            version={version}
            newest={newest ?? version.version}
            name={names?.get(version.changedBy)}
            isShown={version.version === shown.to}
          />
        ))}
      </ul>
      <More list={list} />
    </div>
  );
}

interface VersionRowProps {
  id: string;
  version: Version;
  newest: number;
  /** Of the person who made it. */
  name: string | undefined;
  isShown: boolean;
}

function VersionRow({
  id,
  version: { version, createdAt },
  newest,
  name,
  isShown,
}: VersionRowProps) {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const { data: agent } = useQuery(agentQuery(id));
  const mayUpdate = usePermission("agent:update");
  const restore = useAgentChange(
    () => restoreVersion(id, version),
    (restored) => {
      notify(texts.restoredVersion(version, restored.version));
      void navigate({ to: "/agents/$id/versions", params: { id }, search: {} });
    },
  );
  const isNewest = version === newest;
  const mayRestore = !isNewest && mayUpdate && agent !== undefined && isEditable(agent);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">
          {texts.version(version)}{" "}
          {isNewest && <span className="text-muted">{texts.newest}</span>}
        </p>
        <Origin createdAt={createdAt} name={name} />
      </div>
      {version > 1 && (
        <Link
          to="/agents/$id/versions"
          params={{ id }}
          search={{ from: version - 1, to: version }}
          aria-current={isShown ? "true" : undefined}
          className="inline-flex min-h-8 items-center px-2 text-accent underline pointer-coarse:min-h-11"
        >
          {texts.changesOf(version)}
        </Link>
      )}
      {!isNewest && (
        <Link
          to="/agents/$id/compare"
          params={{ id }}
          search={{ from: version, to: newest }}
          className="inline-flex min-h-8 items-center px-2 text-accent underline pointer-coarse:min-h-11"
        >
          {texts.tryBeside}
        </Link>
      )}
      {mayRestore && (
        <Button busy={restore.isPending} onClick={() => restore.mutate()}>
          {texts.restore(version)}
        </Button>
      )}
      {restore.error && <Problem error={restore.error} />}
    </li>
  );
}

/** When it was made, and by whom. */
function Origin({ createdAt, name }: { createdAt: string; name: string | undefined }) {
  return (
    <p className="truncate text-xs text-muted">
      <time dateTime={createdAt} title={formatTime(createdAt)}>
        {formatAgo(createdAt)}
      </time>
      {name && (
        <>
          {" · "}
          <bdi>{name}</bdi>
        </>
      )}
    </p>
  );
}

interface VersionDiffProps {
  id: string;
  from: number;
  to: number;
}

const CONTEXT_CHARACTERS = 200;

/** What differs between two versions, field by field. */
function VersionDiff({ id, from, to }: VersionDiffProps) {
  const texts = useAgentTexts();
  const { data, error, refetch } = useQuery(diffQuery(id, from, to));
  const hasFiles = data?.changes.some(({ field }) => field === "files") ?? false;
  const { data: files } = useQuery({ ...agentFilesQuery(id), enabled: hasFiles });
  const show = useShowValue();
  const nameOf = (file: string) =>
    files?.items.find((one) => one.id === file)?.fileName ??
    (files ? texts.unknownDocument : "…");
  return (
    <section
      aria-label={texts.diff(from, to)}
      className="grid gap-3 rounded-lg border border-hairline bg-raised p-4"
    >
      <h2 className="text-lg">{texts.diff(from, to)}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading className="px-0" lines={2} />}
      {data?.changes.length === 0 && <p className="text-muted">{texts.noDifference}</p>}
      <dl className="grid gap-3">
        {data?.changes.map((change) => (
          <div key={change.field} className="grid gap-1">
            <dt className="text-xs font-medium text-muted">
              {texts.fields[change.field as keyof typeof texts.fields] ?? change.field}
            </dt>
            <dd>
              <TextChanges
                changes={change.words ?? wholeChange(change, show, nameOf)}
                context={CONTEXT_CHARACTERS}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The old value removed and the new one added; of lists, the entries that differ. */
function wholeChange(
  { field, from, to }: FieldChange,
  show: (field: string, value: unknown) => string,
  nameOf: (file: string) => string,
) {
  if (Array.isArray(from) && Array.isArray(to)) {
    const entry = field === "files" ? nameOf : String;
    const [before, after] = [from.map(String), to.map(String)];
    const removed = before.filter((one) => !after.includes(one));
    const added = after.filter((one) => !before.includes(one));
    return [
      ...removed.map((one) => ({ kind: "removed" as const, text: `${entry(one)}\n` })),
      ...added.map((one) => ({ kind: "added" as const, text: `${entry(one)}\n` })),
    ];
  }
  return [
    { kind: "removed" as const, text: show(field, from) },
    { kind: "same" as const, text: " " },
    { kind: "added" as const, text: show(field, to) },
  ];
}

/** A value in the words of the editor. */
function useShowValue() {
  const texts = useAgentTexts();
  const words: Record<string, Readonly<Record<string, string>>> = {
    type: texts.types,
    approval: texts.approvals,
  };
  return (field: string, value: unknown): string => {
    if (value === null || value === "" || value === undefined) return texts.none;
    if (typeof value === "object") return describeRetrieval(value, texts);
    return words[field]?.[String(value)] ?? String(value);
  };
}

function describeRetrieval(value: object, texts: ReturnType<typeof useAgentTexts>): string {
  const { topK, grade, mode, rerank } = value as NonNullable<AgentFields["retrieval"]>; // the one object
  const lines = [
    `${texts.mode}: ${texts.modes[mode]}`,
    `${texts.topK}: ${topK}`,
    `${texts.grade}: ${formatNumber(grade)}`,
    rerank?.enabled && texts.rerank,
  ];
  return lines.filter(Boolean).join("\n");
}
