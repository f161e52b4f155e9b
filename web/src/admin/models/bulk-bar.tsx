import { Eye, EyeOff, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../../shell/bulk/use-bulk.ts";
import { Button } from "../../ui/button.tsx";
import { ChosenBar } from "../../ui/chosen-bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import type { Chosen } from "../../ui/use-chosen.ts";
import { type AvailableModel, changeAvailable, deleteAvailable } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list. */
  models: readonly AvailableModel[];
}

/** Enables, disables or deletes the chosen models, and says which of them it could not. */
export function BulkBar({ list, chosen, models }: BulkBarProps) {
  const texts = useModelTexts();
  const [isAsking, setAsking] = useState(false);
  const runs = useRuns(chosen.none);
  const isBusy = runs.bulk.state === "running";
  const some = models.filter(({ id }) => chosen.has(id));
  const enabled = some.filter((model) => model.enabled);
  const disabled = some.filter((model) => !model.enabled);
  const deletable = some.filter(({ fromEnvironment }) => !fromEnvironment);
  return (
    <>
      <ChosenBar chosen={chosen} list={list} hasHead="wide">
        {disabled.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.enable(disabled, true)}>
            <Eye aria-hidden size={16} />
            {texts.enable}
          </Button>
        )}
        {enabled.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.enable(enabled, false)}>
            <EyeOff aria-hidden size={16} />
            {texts.disable}
          </Button>
        )}
        {deletable.length > 0 && (
          <Button look="danger" busy={isBusy} onClick={() => setAsking(true)}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <div className="my-2 empty:hidden">
        <BulkReport bulk={runs.bulk} />
      </div>
      {isAsking && (
        <Confirm
          title={texts.deleteManyTitle(deletable.length)}
          text={texts.deleteManyText}
          action={texts.delete}
          onConfirm={() => {
            runs.remove(deletable);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

type Models = readonly AvailableModel[];

function useRuns(onDone: () => void) {
  const texts = useModelTexts();
  const bulk = useBulk([["models"]]);
  const itemsOf = (some: Models) =>
    some.map(({ id, displayName }) => ({ id, name: displayName }));
  const enabling = (enabled: boolean) => ({
    act: oneByOne((id) => changeAvailable(id, { enabled })),
    done: enabled ? texts.manyEnabled : texts.manyDisabled,
  });
  return {
    bulk,
    enable(some: Models, enabled: boolean) {
      bulk.start({
        ...enabling(enabled),
        items: itemsOf(some),
        undo: (items) => bulk.start({ ...enabling(!enabled), items }),
        onDone,
      });
    },
    remove(some: Models) {
      bulk.start({
        items: itemsOf(some),
        act: oneByOne(deleteAvailable),
        done: texts.manyDeleted,
        onDone,
      });
    },
  };
}
