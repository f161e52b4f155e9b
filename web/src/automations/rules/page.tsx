import { useNavigate, useSearch, Link } from "@tanstack/react-router";
import { Plus, Search, Workflow } from "lucide-react";
import type { ComponentProps } from "react";
import { usePermission, meQuery } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PickField } from "../../ui/pick-field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { isScope, type RuleFilter, SCOPES } from "../filters.ts";
import { Frame } from "../frame.tsx";
import {
  rulesQuery,
  changeRule,
  deleteRule,
  type ListedRule,
  useMayChangeRules,
} from "./queries.ts";
import { useRuleTexts } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Chosen, useChosen } from "../../ui/use-chosen.ts";
import { BulkBar } from "../bulk-bar.tsx";
import { ChosenItem, useMayTidy } from "../chosen-item.tsx";
import { RowMenu } from "../row-menu.tsx";
import { useAutomationTexts } from "../texts.ts";
import { useRowChange } from "../use-automation-change.ts";

/** Which agents get which media: one's own rules and the organisation's. */
export function RulesPage() {
  const texts = useRuleTexts();
  const search = useSearch({ from: "/app/automations" });
  const list = useList(rulesQuery(search));
  const isNarrowed = search.q !== undefined || search.scope !== undefined;
  const isEmpty = list.data?.total === 0;
  return (
    <Frame actions={!isEmpty && <NewRule />}>
      {(isNarrowed || !isEmpty) && <Filters search={search} />}
      {list.isPending && <Loading shape="list" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !isEmpty && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <Rows list={list} rules={list.data?.items ?? []} />
      {isEmpty && isNarrowed && (
        <Empty icon={Search} title={texts.nothing}>
          {texts.nothingHint}
        </Empty>
      )}
      {isEmpty && !isNarrowed && (
        <Empty icon={Workflow} picture="rows" title={texts.empty} action={<NewRule />}>
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
    </Frame>
  );
}

interface RowsProps {
  list: ComponentProps<typeof BulkBar>["list"];
  rules: readonly ListedRule[];
}

/** Rows with checkboxes. The chosen rules are switched on or off, or deleted together. */
function Rows({ list, rules }: RowsProps) {
  const mayTidy = useMayTidy();
  const mayChange = useMayChangeRules();
  const changeable = rules.filter((rule) => mayTidy && mayChange(rule));
  const items = changeable.map(({ id, name, is_active: isActive }) => {
    return { id: String(id), name, isActive };
  });
  const chosen = useChosen(items.map(({ id }) => id));
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <BulkBar
        list={list}
        chosen={chosen}
        items={items}
        change={(id, isActive) => changeRule(Number(id), { is_active: isActive })}
        remove={(id) => deleteRule(Number(id))}
      />
      <ul className="divide-y divide-hairline">
        {rules.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            chosen={items.length > 0 ? chosen : undefined}
            isChangeable={changeable.includes(rule)}
          />
        ))}
      </ul>
    </div>
  );
}

function NewRule() {
  const texts = useRuleTexts();
  const navigate = useNavigate();
  if (!usePermission("automation:create")) return null;
  return (
    <Button look="primary" onClick={() => void navigate({ to: "/automations/new" })}>
      <Plus aria-hidden size={16} />
      {texts.new}
    </Button>
  );
}

function Filters({ search }: { search: RuleFilter }) {
  const texts = useRuleTexts();
  const navigate = useNavigate();
  const narrow = (next: RuleFilter) =>
    void navigate({ to: "/automations", search: next, replace: true });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
        value={search.q}
        onSearch={(q) => narrow({ ...search, q })}
      />
      <PickField
        label={texts.scope}
        value={search.scope ?? ""}
        onChange={({ target }) =>
          narrow({ ...search, scope: isScope(target.value) ? target.value : undefined })
        }
      >
        <option value="">{texts.anyScope}</option>
        {SCOPES.map((scope) => (
          <option key={scope} value={scope}>
            {texts.scopes[scope]}
          </option>
        ))}
      </PickField>
    </div>
  );
}

interface RuleRowProps {
  rule: ListedRule;
  chosen: Chosen | undefined;
  isChangeable: boolean;
}

/** A rule in the list: what it takes, whose, and which agents get it. */
function RuleRow({ rule, chosen, isChangeable }: RuleRowProps) {
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
    <ChosenItem id={String(id)} name={name} chosen={chosen} isChangeable={isChangeable}>
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
    </ChosenItem>
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
  const mayChange = useMayChangeRules();
  const { id, name, is_active: isActive } = rule;
  const toggle = useRowChange(() => changeRule(id, { is_active: !isActive }));
  const showRuns = () => void navigate({ to: "/automations/runs", search: { rule: id } });
  return (
    <RowMenu
      name={name}
      isActive={isActive}
      isOwn={mayChange(rule)}
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
