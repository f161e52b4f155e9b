import { Power, PowerOff, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { Confirm } from "../ui/confirm.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import { useAutomationTexts } from "./texts.ts";
import { AUTOMATION_KEYS } from "./use-automation-change.ts";

interface Switched {
  id: string;
  name: string;
  isActive: boolean;
}

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list that can be chosen. */
  items: readonly Switched[];
  /** Switches one on or off. */
  change: (id: string, isActive: boolean) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

/** Switches the chosen rules, sources or schedules on or off, or deletes them. */
export function BulkBar({ list, chosen, items, change, remove }: BulkBarProps) {
  const texts = useAutomationTexts();
  const bulk = useBulk(AUTOMATION_KEYS);
  const [isAsking, setAsking] = useState(false);
  const mayUpdate = usePermission("automation:update");
  const mayDelete = usePermission("automation:delete");
  const isBusy = bulk.state === "running";
  const some = items.filter(({ id }) => chosen.has(id));
  const switching = (isActive: boolean) => ({
    act: oneByOne((id) => change(id, isActive)),
    done: isActive ? texts.manyActive : texts.manyInactive,
  });
  const toggle = (isActive: boolean) =>
    bulk.start({
      ...switching(isActive),
      items: some.filter((one) => one.isActive !== isActive),
      undo: (done) => bulk.start({ ...switching(!isActive), items: done }),
      onDone: chosen.none,
    });
  return (
    <>
      <ChosenBar chosen={chosen} list={list} className={BAR_IN_MARGIN}>
        {mayUpdate && some.some(({ isActive }) => !isActive) && (
          <Button look="quiet" busy={isBusy} onClick={() => toggle(true)}>
            <Power aria-hidden size={16} />
            {texts.activate}
          </Button>
        )}
        {mayUpdate && some.some(({ isActive }) => isActive) && (
          <Button look="quiet" busy={isBusy} onClick={() => toggle(false)}>
            <PowerOff aria-hidden size={16} />
            {texts.deactivate}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={() => setAsking(true)}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={bulk} />
      {isAsking && (
        <Confirm
          title={texts.deleteManyTitle(some.length)}
          text={texts.deleteManyText}
          action={texts.delete}
          onConfirm={() => {
            bulk.start({
              items: some,
              act: oneByOne(remove),
              done: texts.manyDeleted,
              onDone: chosen.none,
            });
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
