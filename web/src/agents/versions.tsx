import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import {
  agentQuery,
  namesQuery,
  restoreVersion,
  type Version,
  versionsQuery,
} from "./queries.ts";
import { isEditable } from "./row-menu.tsx";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";
import { VersionDiff } from "./version-diff.tsx";

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
      {list.isPending && <Loading className="px-0" />}
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
