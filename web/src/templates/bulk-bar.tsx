import { Eye, EyeOff } from "lucide-react";
import type { ComponentProps } from "react";
import { ActionsBar, switching } from "../shell/bulk/actions-bar.tsx";
import { BAR_IN_MARGIN } from "../ui/chosen-row.ts";
import { changeTemplate, deleteTemplate, type Template, TEMPLATE_KEYS } from "./queries.ts";
import { useRights } from "./rights.ts";
import { useTemplateTexts } from "./texts.ts";

interface BulkBarProps extends Pick<ComponentProps<typeof ActionsBar>, "list" | "chosen"> {
  /** All of the list that can be chosen. */
  templates: readonly Template[];
}

/** Offers, stops offering or deletes the chosen templates. */
export function BulkBar({ list, chosen, templates }: BulkBarProps) {
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
