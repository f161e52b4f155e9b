import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Wrench, X } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { type Tool, toolsQuery, classify, type Effect } from "./queries.ts";
import type { ToolsSearch } from "./routes.ts";
import { useToolTexts } from "./texts.ts";
import { useChange } from "../../shell/use-change.ts";
import { SELECT_LOOK } from "../../ui/field.tsx";
import { notifyFailure } from "../../ui/notices.tsx";

/** All tools with their effects. */
export function Tools() {
  const texts = useToolTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: "/app/admin/tools/list" });
  const list = useList(toolsQuery(search));
  const columns = useColumns();
  const narrow = (next: ToolsSearch) =>
    void navigate({ to: "/admin/tools/list", search: next, replace: true });
  const { q, server } = search;
  return (
    <PartSection title={texts.tabs.list} hint={texts.toolsHint}>
      <div className="flex flex-wrap items-end gap-3">
        <SearchField
          label={texts.search}
          className="min-w-0 flex-1 basis-56 max-sm:basis-full"
          value={q}
          onSearch={(next) =>
            narrow({ ...(next && { q: next }), ...(server && { server }) })
          }
        />
        {server && (
          <Button onClick={() => narrow(q ? { q } : {})}>
            <bdi className="max-w-48 truncate">{texts.onlyOf(server)}</bdi>
            <X aria-label={texts.showAll} size={15} />
          </Button>
        )}
      </div>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && (q || server) && (
        <p className="text-muted">{texts.noTools}</p>
      )}
      {list.data?.total === 0 && !q && !server && (
        <Empty
          icon={Wrench}
          picture="rows"
          title={texts.noneYet}
          action={
            <Link to="/admin/tools/servers" className="text-accent underline">
              {texts.toServers}
            </Link>
          }
        >
          {texts.noneYetHint}
        </Empty>
      )}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.tabs.list}
          columns={columns}
          rows={list.data.items}
          keyOf={(tool) => `${tool.server} ${tool.tool}`}
        />
      )}
      <More list={list} />
    </PartSection>
  );
}

function useColumns(): Column<Tool>[] {
  const texts = useToolTexts();
  return [
    {
      key: "name",
      label: texts.tool,
      cell: ({ name, title, annotations, description }) => (
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">
            <bdi>{title ?? annotations?.title ?? name}</bdi>
          </p>
          <p className="font-mono text-xs wrap-anywhere text-muted">{name}</p>
          <bdi
            className="line-clamp-2 text-xs text-muted"
            title={description.slice(0, 500)}
          >
            {description}
          </bdi>
        </div>
      ),
    },
    { key: "server", label: texts.server, cell: ({ server }) => <bdi>{server}</bdi> },
    {
      key: "effect",
      label: texts.effect,
      isWide: true,
      cell: (tool) => <EffectSelect tool={tool} />,
    },
  ];
}

const EFFECTS = ["read_only", "additive", "destructive"] as const;

/**
 * The effect of a tool's calls, and who determined it. An administrator's choice applies until the
 * tool changes.
 */
function EffectSelect({ tool }: { tool: Tool }) {
  const texts = useToolTexts();
  const { effect, effectBy } = tool;
  const change = useChange({
    run: (next: Effect | null) => classify(tool, next),
    keys: [["tool-servers", "tools"]],
  });
  const isOwn = effectBy === "administrator";
  return (
    <div className="grid gap-0.5 md:w-64">
      <select
        aria-label={`${texts.effect}: ${tool.name}`}
        className={SELECT_LOOK}
        aria-busy={change.isPending}
        value={isOwn ? effect : ""}
        onChange={({ target }) =>
          change.mutate(EFFECTS.find((one) => one === target.value) ?? null, {
            onError: notifyFailure,
          })
        }
      >
        <option value="">
          {isOwn || !effect ? texts.bySelf : texts.bySelfAs(texts.effects[effect])}
        </option>
        {EFFECTS.map((one) => (
          <option key={one} value={one}>
            {texts.effects[one]}
          </option>
        ))}
      </select>
      <span className="text-xs text-muted">
        {effectBy && texts.effectBy[effectBy]}
        {effect === "destructive" && ` · ${texts.waits}`}
      </span>
    </div>
  );
}
