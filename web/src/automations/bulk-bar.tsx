import { Power, PowerOff } from "lucide-react";
import type { ComponentProps } from "react";
import { ActionsBar, switching } from "../shell/bulk/actions-bar.tsx";
import { usePermission } from "../shell/queries.ts";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { useAutomationTexts } from "./texts.ts";
import { AUTOMATION_KEYS } from "./use-automation-change.ts";

interface Switched {
  id: string;
  name: string;
  isActive: boolean;
}

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list that can be chosen. */
  items: readonly Switched[];
  /** Switches one on or off. */
  change: (id: string, isActive: boolean) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

/** Switches the chosen rules, sources or schedules on or off, or deletes them. */
export function BulkBar({ list, chosen, items, change, remove }: BulkBarProps) {
  const texts = useAutomationTexts();
  const mayUpdate = usePermission("automation:update");
  const mayDelete = usePermission("automation:delete");
  const some = items.filter(({ id }) => chosen.has(id));
  const actions = switching({
    items: some.map((one) => ({ ...one, isOn: one.isActive })),
    change,
    icons: { on: Power, off: PowerOff },
    labels: { on: texts.activate, off: texts.deactivate },
    done: { on: texts.manyActive, off: texts.manyInactive },
  });
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      className={BAR_IN_MARGIN}
      keys={AUTOMATION_KEYS}
      actions={mayUpdate ? actions : []}
      deletion={{
        label: texts.delete,
        items: mayDelete ? some : [],
        act: remove,
        done: texts.manyDeleted,
        asks: { title: texts.deleteManyTitle, text: texts.deleteManyText },
      }}
    />
  );
}
