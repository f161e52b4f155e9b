import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus, Search, Workflow } from "lucide-react";
import { usePermission } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PickField } from "../../ui/pick-field.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { Frame } from "../frame.tsx";
import { type RuleFilter, rulesQuery } from "./queries.ts";
import { RuleRow } from "./row.tsx";
import { isScope, SCOPES } from "./scopes.ts";
import { useRuleTexts } from "./texts.ts";

/** Which agents get which media: one's own rules and the organisation's. */
export function RulesPage() {
  const texts = useRuleTexts();
  const search = useSearch({ from: "/app/automations" });
  const list = useList(rulesQuery(search));
  const isNarrowed = search.q !== undefined || search.scope !== undefined;
  const isEmpty = list.data?.total === 0;
  return (
    <Frame actions={list.data && !isEmpty && <NewRule />}>
      {(isNarrowed || !isEmpty) && <Filters search={search} />}
      {list.isPending && <Loading lines={8} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !isEmpty && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((rule) => (
          <RuleRow key={rule.id} rule={rule} />
        ))}
      </ul>
      {isEmpty && isNarrowed && (
        <Empty icon={Search} title={texts.nothing}>
          {texts.nothingHint}
        </Empty>
      )}
      {isEmpty && !isNarrowed && (
        <Empty icon={Workflow} title={texts.empty} action={<NewRule />}>
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
    </Frame>
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
        className="min-w-0 flex-1 basis-56"
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
