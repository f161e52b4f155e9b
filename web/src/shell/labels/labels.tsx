import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { useState } from "react";
import { awaitsFirst } from "../awaits-first.ts";
import type { Resource } from "../../../../src/services/users/contract-sharing.ts";
import { usePermission } from "../queries.ts";
import { useChange } from "../use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { describeRule } from "./describe-rule.ts";
import { LabelChip } from "./label-chip.tsx";
import { type LabelOfResource, labelsOnQuery, labelsQuery, setLabels } from "./queries.ts";
import { useLabelTexts } from "./texts.ts";

interface LabelsProps {
  resource: Resource;
  /** Offers to add the first one, too. */
  offersFirst?: boolean;
}

/** Whether what `Labels` shows of a resource that is there has come, or will not. */
export function useLabelsKnown(resource: Resource, isThere: boolean): boolean {
  const mayRead = usePermission("share:read") && isThere;
  const mayAdd = usePermission("share:create");
  const on = useQuery({ ...labelsOnQuery(resource), enabled: mayRead });
  const all = useQuery({ ...labelsQuery, enabled: mayRead && mayAdd });
  return !awaitsFirst(on) && !awaitsFirst(all);
}

/** The labels in effect on a resource. They open what they mean, and who may changes them there. */
export function Labels({ resource, offersFirst = false }: LabelsProps) {
  const texts = useLabelTexts();
  const mayRead = usePermission("share:read");
  const { data } = useQuery({ ...labelsOnQuery(resource), enabled: mayRead });
  const mayAdd = usePermission("share:create") && offersFirst && data?.mayChange === true;
  const { data: all } = useQuery({ ...labelsQuery, enabled: mayAdd });
  const [isOpen, setOpen] = useState(false);
  if (!data) return null;
  const { labels, mayChange } = data;
  if (labels.length === 0 && !(mayAdd && all && all.total > 0)) return null;
  const names = labels.map(({ name }) => name).join(", ");
  const close = () => setOpen(false);
  return (
    <>
      {labels.length > 0 ? (
        <button
          type="button"
          aria-label={texts.of(names)}
          title={texts.of(names)}
          onClick={() => setOpen(true)}
          className={
            "inline-flex min-h-8 max-w-full flex-wrap items-center gap-1 rounded-md px-1 " +
            "hover:bg-hover pointer-coarse:min-h-11"
          }
        >
          {labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
        </button>
      ) : (
        <Button look="quiet" onClick={() => setOpen(true)}>
          <Tag aria-hidden size={16} />
          {texts.add}
        </Button>
      )}
      {isOpen && mayChange && (
        <ChangeLabels resource={resource} labels={labels} onClose={close} />
      )}
      {isOpen && !mayChange && (
        <Dialog title={texts.title} size="small" onClose={close}>
          <Meanings labels={labels} />
        </Dialog>
      )}
    </>
  );
}

/** Each label with its rule, and how it came here. */
function Meanings({ labels }: { labels: readonly LabelOfResource[] }) {
  const texts = useLabelTexts();
  if (labels.length === 0) return <p className="text-muted">{texts.none}</p>;
  return (
    <ul className="grid gap-3">
      {labels.map((label) => (
        <li key={label.id} className="grid justify-items-start gap-0.5 wrap-anywhere">
          <LabelChip label={label} />
          {label.description && <p>{label.description}</p>}
          <p className="text-sm text-muted">
            {[...describeRule(label, texts), `(${texts.from[label.from]})`].join(" ")}
          </p>
        </li>
      ))}
    </ul>
  );
}

interface ChangeProps {
  resource: Resource;
  labels: readonly LabelOfResource[];
  onClose: () => void;
}

/** What the labels mean, and which the resource has itself. */
function ChangeLabels({ resource, labels, onClose }: ChangeProps) {
  const texts = useLabelTexts();
  const { data: all, error, refetch } = useQuery(labelsQuery);
  const own = labels.filter(({ from }) => from !== "folder");
  const change = useChange({
    run: (ids: string[]) => setLabels(resource, ids),
    keys: [["labels"]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.title}
      action={texts.save}
      busy={change.isPending || !all}
      error={change.error}
      onSubmit={(fields) => {
        const fixed = own.filter(({ removable }) => !removable).map(({ id }) => id);
        change.mutate([...new Set([...fixed, ...fields.getAll("label").map(String)])]);
      }}
      onClose={onClose}
    >
      <Meanings labels={labels} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!all && !error && <Loading lines={2} />}
      {all && (
        <fieldset className="grid gap-1">
          <legend className="font-medium">{texts.choose}</legend>
          {all.items.map(({ id, name, description }) => {
            const mine = own.find((label) => label.id === id);
            const isKept = mine !== undefined && !mine.removable;
            return (
              <Checkbox
                key={id}
                name="label"
                value={id}
                defaultChecked={mine !== undefined}
                disabled={isKept}
                label={<bdi className="wrap-anywhere">{name}</bdi>}
                hint={isKept ? texts.kept : description}
              />
            );
          })}
        </fieldset>
      )}
    </FormDialog>
  );
}
