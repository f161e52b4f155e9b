import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { meQuery, usePermission } from "../../shell/queries.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { notify } from "../../ui/notices.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useAutomationChange, useRowChange } from "../use-automation-change.ts";
import { changeRule, deleteRule, type ListedRule } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";
import { useMayChange } from "./use-may-change.ts";

/** A rule in the list: what it takes, whose, and which agents get it. */
export function RuleRow({ rule }: { rule: ListedRule }) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const { id, name, type, origin, is_active: isActive, last_update: changedAt } = rule;
  const agents = rule.agentNames.map((agent) => isolate(agent ?? shared.agents.unknown)).join(", ");
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
          {origin === "*" ? texts.anyOrigin : <bdi className="font-mono text-xs">{origin}</bdi>}
          {" → "}
          {agents}
        </p>
        <p className="text-xs text-muted" title={formatTime(changedAt)}>
          {rule.makerName ? texts.by(isolate(rule.makerName), when) : texts.changed(when)}
        </p>
      </div>
      <RowMenu rule={rule} />
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

function RowMenu({ rule }: { rule: ListedRule }) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const navigate = useNavigate();
  const mayChange = useMayChange(rule);
  const mayDelete = usePermission("automation:delete") && mayChange;
  const mayUpdate = usePermission("automation:update") && mayChange;
  const [isDeleting, setDeleting] = useState(false);
  const { id, name, is_active: isActive } = rule;
  const toggle = useRowChange(() => changeRule(id, { is_active: !isActive }));
  const open = () => void navigate({ to: "/automations/$id", params: { id: String(id) } });
  const showRuns = () => void navigate({ to: "/automations/runs", search: { rule: id } });
  const items = [
    ...(mayUpdate ? [{ key: "edit", label: shared.edit, onChoose: open }] : []),
    { key: "runs", label: texts.runs, onChoose: showRuns },
    ...(mayUpdate
      ? [
          {
            key: "toggle",
            label: isActive ? shared.deactivate : shared.activate,
            onChoose: toggle,
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            key: "delete",
            label: shared.delete,
            isDanger: true,
            onChoose: () => setDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <>
      <ActionsMenu label={shared.actions(name)} items={items} />
      {isDeleting && <Deletion rule={rule} onClose={() => setDeleting(false)} />}
    </>
  );
}

function Deletion({ rule, onClose }: { rule: ListedRule; onClose: () => void }) {
  const texts = useRuleTexts();
  const shared = useAutomationTexts();
  const remove = useAutomationChange(
    () => deleteRule(rule.id),
    () => {
      onClose();
      notify(texts.deleted);
    },
  );
  return (
    <Confirm
      title={texts.deleteTitle}
      text={texts.deleteText(rule.name)}
      action={shared.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
