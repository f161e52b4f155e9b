import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { meQuery } from "../../shell/queries.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowMenu } from "../row-menu.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange } from "../use-automation-change.ts";
import { changeRule, deleteRule, type ListedRule } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";
import { useMayChange } from "./use-may-change.ts";

/** A rule in the list: what it takes, whose, and which agents get it. */
export function RuleRow({ rule }: { rule: ListedRule }) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const { id, name, type, origin, is_active: isActive, last_update: changedAt } = rule;
  const known = rule.agentNames.filter((agent) => agent !== undefined);
  const hidden = rule.agentNames.length - known.length;
  const agents = [
    ...known.map((agent) => isolate(agent)),
    ...(hidden > 0 ? [texts.hiddenAgents(hidden)] : []),
  ].join(", ");
  const when = formatAgo(changedAt);
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <Link
            to="/automations/$id"
            params={{ id: String(id) }}
            title={name}
            className="min-h-6 max-w-full truncate font-medium hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          <Scope rule={rule} />
          {!isActive && <Badge look="warn">{shared.inactive}</Badge>}
        </p>
        <p
          className="line-clamp-2 text-muted wrap-anywhere"
          title={`${type} ${texts.from} ${origin} → ${agents}`}
        >
          <bdi className="font-mono text-xs">{type}</bdi> {texts.from}{" "}
          {origin === "*" ? (
            texts.anyOrigin
          ) : (
            <bdi className="font-mono text-xs">{origin}</bdi>
          )}
          {" → "}
          {agents}
        </p>
        <p className="text-xs text-muted" title={formatTime(changedAt)}>
          {rule.makerName ? texts.by(isolate(rule.makerName), when) : texts.changed(when)}
        </p>
      </div>
      <Menu rule={rule} />
    </li>
  );
}

function Scope({ rule }: { rule: ListedRule }) {
  const texts = useRuleTexts();
  const { data: me } = useQuery(meQuery);
  if (rule.scope === "client") return <Badge>{texts.everybody}</Badge>;
  if (rule.user_id === me?.id) return <Badge>{texts.mine}</Badge>;
  return <Badge>{texts.ofPerson(isolate(rule.makerName ?? texts.unknownPerson))}</Badge>;
}

function Menu({ rule }: { rule: ListedRule }) {
  const texts = useRuleTexts();
  const navigate = useNavigate();
  const mayChange = useMayChange(rule);
  const { id, name, is_active: isActive } = rule;
  const toggle = useRowChange(() => changeRule(id, { is_active: !isActive }));
  const showRuns = () => void navigate({ to: "/automations/runs", search: { rule: id } });
  return (
    <RowMenu
      name={name}
      isActive={isActive}
      isOwn={mayChange}
      onEdit={() => void navigate({ to: "/automations/$id", params: { id: String(id) } })}
      onToggle={toggle}
      more={[{ key: "runs", label: texts.runs, onChoose: showRuns }]}
      deletion={{
        title: texts.deleteTitle,
        text: texts.deleteText(name),
        done: texts.deleted,
        run: () => deleteRule(id),
      }}
    />
  );
}
