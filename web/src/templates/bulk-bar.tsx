import { Eye, EyeOff, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { Confirm } from "../ui/confirm.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import { changeTemplate, deleteTemplate, type Template, TEMPLATE_KEYS } from "./queries.ts";
import { useRights } from "./rights.ts";
import { useTemplateTexts } from "./texts.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list that can be chosen. */
  templates: readonly Template[];
}

/** Offers, stops offering or deletes the chosen templates, and says which of them it could not. */
export function BulkBar({ list, chosen, templates }: BulkBarProps) {
  const texts = useTemplateTexts();
  const rights = useRights();
  const [isAsking, setAsking] = useState(false);
  const runs = useRuns(chosen.none);
  const isBusy = runs.bulk.state === "running";
  const some = templates.filter(({ id }) => chosen.has(id));
  const changeable = some.filter(rights.update);
  const offered = changeable.filter(({ enabled }) => enabled);
  const others = changeable.filter(({ enabled }) => !enabled);
  const deletable = some.filter(rights.delete);
  return (
    <>
      <ChosenBar chosen={chosen} list={list} className={BAR_IN_MARGIN}>
        {others.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.offer(others, true)}>
            <Eye aria-hidden size={16} />
            {texts.enable}
          </Button>
        )}
        {offered.length > 0 && (
          <Button look="quiet" busy={isBusy} onClick={() => runs.offer(offered, false)}>
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
      <BulkReport bulk={runs.bulk} />
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

type Templates = readonly Template[];

function useRuns(onDone: () => void) {
  const texts = useTemplateTexts();
  const bulk = useBulk(TEMPLATE_KEYS);
  const itemsOf = (some: Templates) => some.map(({ id, name }) => ({ id, name }));
  const offering = (enabled: boolean) => ({
    act: oneByOne((id) => changeTemplate(id, { enabled })),
    done: enabled ? texts.manyEnabled : texts.manyDisabled,
  });
  return {
    bulk,
    offer(some: Templates, enabled: boolean) {
      bulk.start({
        ...offering(enabled),
        items: itemsOf(some),
        undo: (items) => bulk.start({ ...offering(!enabled), items }),
        onDone,
      });
    },
    remove(some: Templates) {
      bulk.start({
        items: itemsOf(some),
        act: oneByOne(deleteTemplate),
        done: texts.manyDeleted,
        onDone,
      });
    },
  };
}
