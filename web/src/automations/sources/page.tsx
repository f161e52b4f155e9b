import { Inbox, Plus } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { NewSourceDialog } from "./new-source.tsx";
import { sourcesQuery, changeSource, deleteSource, type Source } from "./queries.ts";
import { useSourceTexts } from "./texts.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowMenu } from "../row-menu.tsx";
import { Cause } from "../runs/state.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange } from "../use-automation-change.ts";

/** The sources from which media are received automatically. */
export function SourcesPage() {
  const texts = useSourceTexts();
  const list = useList(sourcesQuery);
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
    <Frame actions={list.data && !isEmpty && create}>
      {list.isPending && <Loading lines={6} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((source) => (
          <SourceRow key={source.id} source={source} />
        ))}
      </ul>
      {isEmpty && (
        <Empty icon={Inbox} title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
      {isCreating && <NewSourceDialog onClose={() => setCreating(false)} />}
    </Frame>
  );
}

/** A source in the list: what it watches, and whether that works. */
function SourceRow({ source }: { source: Source }) {
  const texts = useSourceTexts();
  const shared = useAutomationTexts();
  const navigate = useNavigate();
  const { id, name, kind, origin, isActive, lookedAt, error } = source;
  const toggle = useRowChange(() => changeSource(id, { isActive: !isActive }));
  const open = () => void navigate({ to: "/automations/sources/$id", params: { id } });
  const showRuns = () => void navigate({ to: "/automations/runs", search: { source: id } });
  return (
    <li className="flex items-start gap-3 py-3">
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
    </li>
  );
}
