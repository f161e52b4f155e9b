import { useQuery } from "@tanstack/react-query";
import { Tag, Plus } from "lucide-react";
import { useState } from "react";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { describeRule } from "../../shell/labels/describe-rule.ts";
import { LabelChip } from "../../shell/labels/label-chip.tsx";
import {
  changeLabel,
  createLabel,
  deleteLabel,
  type Label,
  labelsQuery,
} from "../../shell/labels/queries.ts";
import { useLabelTexts } from "../../shell/labels/texts.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { useLabelAdminTexts } from "./texts.ts";

type Doing = { kind: "create" } | { kind: "change" | "delete"; label: Label };

/** The labels of the organisation and their rules. */
export function LabelsPage() {
  const texts = useLabelAdminTexts();
  const { data, error, isPending, refetch } = useQuery(labelsQuery);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const create = (
    <Button look="primary" onClick={() => setDoing({ kind: "create" })}>
      <Plus aria-hidden size={16} />
      {texts.create}
    </Button>
  );
  const isEmpty = data?.total === 0;
  return (
    <PartSection
      title={texts.title}
      hint={texts.hint}
      actions={!isEmpty ? create : undefined}
    >
      {isPending && <Loading shape="table" lines={6} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && !isEmpty && <LabelsTable labels={data.items} onDo={setDoing} />}
      {isEmpty && (
        <Empty icon={Tag} picture="rows" title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      {doing?.kind === "create" && (
        <LabelDialog
          title={texts.create}
          action={texts.create}
          run={createLabel}
          onClose={close}
        />
      )}
      {doing?.kind === "change" && (
        <LabelDialog
          title={doing.label.name}
          action={texts.save}
          label={doing.label}
          run={(fields) => changeLabel(doing.label.id, fields)}
          onClose={close}
        />
      )}
      {doing?.kind === "delete" && (
        <ConfirmChange
          title={texts.deleteTitle(doing.label.name)}
          text={texts.deleteText}
          action={texts.delete}
          run={() => deleteLabel(doing.label.id)}
          keys={[["labels"]]}
          done={texts.deleted(doing.label.name)}
          onClose={close}
        />
      )}
    </PartSection>
  );
}

interface TableProps {
  labels: readonly Label[];
  onDo: (doing: Doing) => void;
}

function LabelsTable({ labels, onDo }: TableProps) {
  const texts = useLabelAdminTexts();
  const rules = useLabelTexts();
  const columns: Column<Label>[] = [
    {
      key: "name",
      label: texts.name,
      cell: (label) => (
        <div className="grid min-w-0 justify-items-start gap-0.5 md:w-56">
          <LabelChip label={label} />
          <bdi className="max-w-full truncate text-xs text-muted" title={label.description}>
            {label.description}
          </bdi>
        </div>
      ),
    },
    {
      key: "rule",
      label: texts.rule,
      cell: (label) => (
        <span className="text-sm text-muted wrap-anywhere">
          {describeRule(label, rules).join(" ")}
        </span>
      ),
    },
    {
      key: "actions",
      label: texts.change,
      hideLabel: true,
      isMenu: true,
      cell: (label) => (
        <ActionsMenu
          label={texts.actions(label.name)}
          items={[
            {
              key: "change",
              label: texts.change,
              onChoose: () => onDo({ kind: "change", label }),
            },
            {
              key: "delete",
              label: texts.delete,
              onChoose: () => onDo({ kind: "delete", label }),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption={texts.title}
      columns={columns}
      rows={labels}
      keyOf={({ id }) => id}
    />
  );
}
