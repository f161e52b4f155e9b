import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus, Search, TextQuote, Eye, EyeOff } from "lucide-react";
import type { ComponentProps } from "react";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { buttonLook } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { PickField } from "../ui/pick-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { useChosen } from "../ui/use-chosen.ts";
import {
  templatesQuery,
  changeTemplate,
  deleteTemplate,
  type Template,
  TEMPLATE_KEYS,
} from "./queries.ts";
import { useRights } from "./rights.ts";
import { SCOPES } from "./routes.ts";
import { TemplateRow } from "./row.tsx";
import { useTemplateTexts } from "./texts.ts";
import { ActionsBar, switching } from "../shell/bulk/actions-bar.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";

/** Templates: the user's own, shared ones, and those of the organisation. */
export function TemplatesPage() {
  const texts = useTemplateTexts();
  const { q, scope } = useSearch({ from: "/app/templates" });
  const navigate = useNavigate({ from: "/templates" });
  const list = useList(templatesQuery(q, scope));
  const isNarrowed = q !== undefined || scope !== undefined;
  return (
    <Page title={texts.title} actions={<NewTemplateLink />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-muted">{texts.hint}</p>
        <div className="flex flex-wrap items-center gap-2">
          <SearchField
            label={texts.search}
            className="min-w-0 flex-1 basis-56 max-sm:basis-full"
            value={q}
            onSearch={(next) =>
              void navigate({ search: { q: next, scope }, replace: true })
            }
          />
          <PickField
            label={texts.scope}
            value={scope ?? ""}
            onChange={(event) => {
              const chosen = SCOPES.find((one) => one === event.target.value);
              void navigate({ search: { q, scope: chosen }, replace: true });
            }}
          >
            <option value="">{texts.anyScope}</option>
            {SCOPES.map((one) => (
              <option key={one} value={one}>
                {texts.scopes[one]}
              </option>
            ))}
          </PickField>
        </div>
        {list.isPending && <Loading shape="rows" lines={8} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        <Rows list={list} templates={list.data?.items ?? []} />
        {list.data?.total === 0 && <Nothing isNarrowed={isNarrowed} />}
        <More list={list} />
      </div>
    </Page>
  );
}

/** Rows with checkboxes. The chosen templates are offered or not, or deleted, together. */
function Rows({ list, templates }: Omit<ComponentProps<typeof BulkBar>, "chosen">) {
  const texts = useTemplateTexts();
  const rights = useRights();
  const changeable = templates.filter((one) => rights.update(one) || rights.delete(one));
  const chosen = useChosen(changeable.map(({ id }) => id));
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <BulkBar list={list} chosen={chosen} templates={changeable} />
      <ul aria-label={texts.title} className="divide-y divide-hairline">
        {templates.map((template) => (
          <TemplateRow
            key={template.id}
            template={template}
            chosen={changeable.length > 0 ? chosen : undefined}
            isChangeable={changeable.includes(template)}
          />
        ))}
      </ul>
    </div>
  );
}

function NewTemplateLink() {
  const texts = useTemplateTexts();
  if (!usePermission("template:create")) return null;
  return (
    <Link to="/templates/new" className={buttonLook("primary")}>
      <Plus aria-hidden size={16} />
      {texts.newTemplate}
    </Link>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  const texts = useTemplateTexts();
  if (isNarrowed)
    return (
      <Empty icon={Search} title={texts.nothing}>
        {texts.nothingHint}
      </Empty>
    );
  return (
    <Empty icon={TextQuote} picture="rows" title={texts.empty} action={<NewTemplateLink />}>
      {texts.emptyHint}
    </Empty>
  );
}

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list that can be chosen. */
  templates: readonly Template[];
}

/** Offers, stops offering or deletes the chosen templates. */
function BulkBar({ list, chosen, templates }: BulkBarProps) {
  const texts = useTemplateTexts();
  const rights = useRights();
  const some = templates.filter(({ id }) => chosen.has(id));
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      className={BAR_IN_MARGIN}
      keys={TEMPLATE_KEYS}
      actions={switching({
        items: some.filter(rights.update).map((one) => ({ ...one, isOn: one.enabled })),
        change: (id, enabled) => changeTemplate(id, { enabled }),
        icons: { on: Eye, off: EyeOff },
        labels: { on: texts.enable, off: texts.disable },
        done: { on: texts.manyEnabled, off: texts.manyDisabled },
      })}
      deletion={{
        label: texts.delete,
        items: some.filter(rights.delete),
        act: deleteTemplate,
        done: texts.manyDeleted,
        asks: { title: texts.deleteManyTitle, text: texts.deleteManyText },
      }}
    />
  );
}
