import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import {
  AudioLines,
  FileText,
  ArrowDown,
  ArrowUp,
  Cpu,
  Eye,
  EyeOff,
  Lightbulb,
  Pencil,
  ScanEye,
  Star,
  Trash2,
  Wrench,
} from "lucide-react";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import type { availableModelsContract } from "../../../../src/services/core/catalogue/contract.ts";
import { useState } from "react";
import { awaitsFirst } from "../../shell/awaits-first.ts";
import { modelsQuery } from "../../shell/queries.ts";
import { useList } from "../../shell/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Glyph } from "../../ui/glyph.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { formatNumber } from "../../texts/format.ts";
import { formatPrice } from "../../texts/format-price.ts";
import { useChosen } from "../../ui/use-chosen.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ModelDialog } from "./model-dialog.tsx";
import {
  type AvailableModel,
  defaultQuery,
  offeredQuery,
  changeAvailable,
  deleteAvailable,
} from "./queries.ts";
import { useModelNames } from "../../shell/use-models.ts";
import { useModelTexts } from "./texts.ts";
import { useChange } from "../../shell/use-change.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { notifyFailure } from "../../ui/notices.tsx";

/** The models that users choose from, in their order. */
export function OfferedModels() {
  const texts = useModelTexts();
  const navigate = useNavigate();
  const { q } = useSearch({ from: "/app/admin/models/offered" });
  const found = useList(offeredQuery(q));
  // what models can do, and which is the default, stands in each row
  const areFactsKnown = !awaitsFirst(useQuery(modelsQuery));
  const isDefaultKnown = !awaitsFirst(useQuery(defaultQuery));
  const list =
    areFactsKnown && isDefaultKnown
      ? found
      : { ...found, isPending: true, data: undefined };
  const [editing, setEditing] = useState<AvailableModel>();
  const models = list.data?.items ?? [];
  const chosen = useChosen(models.map(({ id }) => id));
  const nameOf = useModelNames();
  const columns = useColumns(models, {
    isWhole: q === undefined,
    onEdit: setEditing,
  });
  const total = list.data?.total;
  return (
    <PartSection title={texts.tabs.offered} hint={texts.offeredHint}>
      {(total !== 0 || q !== undefined) && (
        <SearchField
          label={texts.search}
          value={q}
          onSearch={(next) =>
            void navigate({
              to: "/admin/models/offered",
              search: next ? { q: next } : {},
              replace: true,
            })
          }
        />
      )}
      {list.isPending && <Loading shape="table" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {total !== undefined && total > 0 && (
        <div {...chosen.area}>
          <BulkBar list={list} chosen={chosen} models={models} />
          <DataTable
            caption={texts.tabs.offered}
            columns={columns}
            rows={models}
            keyOf={({ id }) => id}
            choosing={{ chosen, nameOf: ({ displayName }) => nameOf(displayName) }}
          />
        </div>
      )}
      {total === 0 && q !== undefined && <p className="text-muted">{texts.nothing}</p>}
      {total === 0 && q === undefined && (
        <Empty
          icon={Cpu}
          picture="rows"
          title={texts.noModels}
          action={
            <Link to="/admin/models/providers" className="text-accent underline">
              {texts.toProviders}
            </Link>
          }
        >
          {texts.noModelsHint}
        </Empty>
      )}
      <More list={list} />
      {editing && <ModelDialog entry={editing} onClose={() => setEditing(undefined)} />}
    </PartSection>
  );
}

interface TableOptions {
  /** Whether it is the list itself, and not what a search found. */
  isWhole: boolean;
  onEdit: (model: AvailableModel) => void;
}

function useColumns(
  models: readonly AvailableModel[],
  { isWhole, onEdit }: TableOptions,
): Column<AvailableModel>[] {
  const texts = useModelTexts();
  const defaultId = useQuery(defaultQuery).data?.items[0]?.id;
  const { data: facts } = useQuery(modelsQuery);
  const factsOf = (id: string) => facts?.items.find((one) => one.id === id);
  return [
    {
      key: "name",
      label: texts.name,
      cell: (model) => <NameCell model={model} />,
    },
    {
      key: "can",
      label: texts.abilities,
      isBelow: true,
      isUnsaid: ({ id }) => !factsOf(id),
      cell: ({ id }) => <Abilities of={factsOf(id)} />,
    },
    {
      key: "price",
      label: texts.price,
      isNumber: true,
      isBelow: true,
      isUnsaid: ({ pricing }) => !pricing,
      cell: ({ pricing }) =>
        pricing ? (
          <bdi className="whitespace-nowrap">{formatPrice(pricing)}</bdi>
        ) : (
          <span className="text-muted">{texts.noPrice}</span>
        ),
    },
    {
      key: "state",
      label: texts.state,
      isBelow: true,
      isUnsaid: (model) => model.id !== defaultId && isReady(model),
      cell: (model) => <StateCell model={model} isDefault={model.id === defaultId} />,
    },
    {
      key: "actions",
      label: texts.actionsLabel,
      hideLabel: true,
      isMenu: true,
      cell: (model) => {
        const at = models.indexOf(model);
        return (
          <ModelMenu
            model={model}
            // the neighbours in search results are not those of the list
            neighbours={isWhole ? [models[at - 1], models[at + 1]] : []}
            first={isWhole ? models[0] : undefined}
            isDefault={model.id === defaultId}
            onEdit={() => onEdit(model)}
          />
        );
      },
    },
  ];
}

function NameCell({ model }: { model: AvailableModel }) {
  const { providerName, providerModelId, id } = model;
  const displayName = useModelNames()(model.displayName);
  return (
    <div className="flex min-w-0 items-center gap-4 md:gap-3">
      <Glyph value={null} id={providerName} name={displayName} size="small" />
      <div className="min-w-0 md:max-w-80">
        <bdi className="block truncate font-medium" title={displayName}>
          {displayName}
        </bdi>
        <bdi className="block truncate text-xs text-muted" title={id}>
          {providerName} / {providerModelId}
        </bdi>
      </div>
    </div>
  );
}

type Facts = RouteOk<typeof availableModelsContract.completionSelections>["items"][number];

/** What a model that answers can do, and how much it reads. */
function Abilities({ of }: { of: Facts | undefined }) {
  const texts = useModelTexts();
  if (!of) return <span className="text-muted">–</span>;
  const { contextWindow, capabilities } = of;
  const names = { ...texts.capabilities, ...texts.reads };
  return (
    <span className="inline-flex flex-wrap items-center gap-2 text-muted">
      {ABILITIES.filter(([ability]) => capabilities[ability]).map(([ability, Icon]) => {
        const isAssumed = ability === "vision" && capabilities.visionAssumed === true;
        if (isAssumed)
          return (
            <span key={ability} title={texts.visionUnknown} className="text-xs">
              {texts.visionUnsaid}
            </span>
          );
        const label = names[ability];
        return (
          <span key={ability} role="img" aria-label={label} title={label}>
            <Icon aria-hidden size={16} />
          </span>
        );
      })}
      {contextWindow !== undefined && (
        <span className="text-xs tabular-nums">
          {texts.readsTokens(formatNumber(contextWindow, { notation: "compact" }))}
        </span>
      )}
    </span>
  );
}

const ABILITIES = [
  ["vision", ScanEye],
  ["tools", Wrench],
  ["reasoning", Lightbulb],
  ["documents", FileText],
  ["audio", AudioLines],
] as const;

/** The provider of what answers without a language model. */
const OFFLINE = "offline";

/** Whether there is nothing to say of it. */
function isReady({ kind, enabled, usable, providerName }: AvailableModel): boolean {
  return kind === "completion" && enabled && usable && providerName !== OFFLINE;
}

function StateCell({ model, isDefault }: { model: AvailableModel; isDefault: boolean }) {
  const texts = useModelTexts();
  const { kind, enabled, usable, providerName } = model;
  const isOffline = providerName === OFFLINE;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {isDefault && <Badge>{texts.default}</Badge>}
      {kind !== "completion" && <Badge>{texts.kinds[kind]}</Badge>}
      {!enabled && <Badge look="warn">{texts.disabled}</Badge>}
      {enabled && !usable && (
        <Badge look="danger" title={texts.unusableHint}>
          {texts.unusable}
        </Badge>
      )}
      {enabled && usable && !isDefault && (
        <Badge>{isOffline ? texts.quotesOnly : texts.usable}</Badge>
      )}
    </span>
  );
}

interface ModelMenuProps {
  model: AvailableModel;
  /** The neighbours in the list, where they are known. */
  neighbours: readonly (AvailableModel | undefined)[];
  first: AvailableModel | undefined;
  isDefault: boolean;
  onEdit: () => void;
}

/** The actions on an available model. */
function ModelMenu({ model, neighbours, first, isDefault, onEdit }: ModelMenuProps) {
  const texts = useModelTexts();
  const { id, displayName, enabled, position, fromEnvironment } = model;
  const [isDeleting, setDeleting] = useState(false);
  const change = useChange({
    run: (run: () => Promise<unknown>) => run(),
    keys: [["models"]],
  });
  const run = (work: () => Promise<unknown>) =>
    change.mutate(work, {
      onError: notifyFailure,
    });
  const [above, below] = neighbours;
  const items: (MenuItem | false | undefined)[] = [
    { key: "edit", label: texts.edit, icon: Pencil, onChoose: onEdit },
    first !== undefined &&
      !isDefault &&
      model.kind === "completion" && {
        key: "default",
        label: texts.makeDefault,
        icon: Star,
        onChoose: () => run(() => changeAvailable(id, { position: first.position })),
      },
    above && {
      key: "up",
      label: texts.up,
      icon: ArrowUp,
      onChoose: () => run(() => changeAvailable(id, { position: above.position })),
    },
    below && {
      key: "down",
      label: texts.down,
      icon: ArrowDown,
      onChoose: () => run(() => changeAvailable(below.id, { position })),
    },
    {
      key: "enabled",
      label: enabled ? texts.disable : texts.enable,
      icon: enabled ? EyeOff : Eye,
      onChoose: () => run(() => changeAvailable(id, { enabled: !enabled })),
    },
    !fromEnvironment && {
      key: "delete",
      label: texts.delete,
      icon: Trash2,
      isDanger: true,
      onChoose: () => setDeleting(true),
    },
  ];
  return (
    <>
      <ActionsMenu
        label={texts.actions(displayName)}
        items={items.filter((item) => item !== undefined && item !== false)}
      />
      {isDeleting && <Deletion model={model} onClose={() => setDeleting(false)} />}
    </>
  );
}

function Deletion({ model, onClose }: { model: AvailableModel; onClose: () => void }) {
  const texts = useModelTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle(model.displayName)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteAvailable(model.id)}
      keys={[["models"]]}
      done={texts.deleted(model.displayName)}
      onClose={onClose}
    />
  );
}
