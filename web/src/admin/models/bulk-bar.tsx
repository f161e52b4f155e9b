import { Eye, EyeOff } from "lucide-react";
import type { ComponentProps } from "react";
import { ActionsBar, switching } from "../../shell/bulk/actions-bar.tsx";
import { type AvailableModel, changeAvailable, deleteAvailable } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list. */
  models: readonly AvailableModel[];
}

/** Enables, disables or deletes the chosen models. */
export function BulkBar({ list, chosen, models }: BulkBarProps) {
  const texts = useModelTexts();
  const some = models
    .filter(({ id }) => chosen.has(id))
    .map((model) => ({ ...model, name: model.displayName, isOn: model.enabled }));
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      hasHead="wide"
      keys={[["models"]]}
      actions={switching({
        items: some,
        change: (id, enabled) => changeAvailable(id, { enabled }),
        icons: { on: Eye, off: EyeOff },
        labels: { on: texts.enable, off: texts.disable },
        done: { on: texts.manyEnabled, off: texts.manyDisabled },
      })}
      deletion={{
        label: texts.delete,
        items: some.filter(({ fromEnvironment }) => !fromEnvironment),
        act: deleteAvailable,
        done: texts.manyDeleted,
        asks: { title: texts.deleteManyTitle, text: texts.deleteManyText },
      }}
    />
  );
}
