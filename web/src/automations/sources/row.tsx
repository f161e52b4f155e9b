import { Link, useNavigate } from "@tanstack/react-router";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowMenu } from "../row-menu.tsx";
import { Cause } from "../runs/state.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange } from "../use-automation-change.ts";
import { changeSource, deleteSource, type Source } from "./queries.ts";
import { useSourceTexts } from "./texts.ts";

/** A source in the list: what it watches, and whether that works. */
export function SourceRow({ source }: { source: Source }) {
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
