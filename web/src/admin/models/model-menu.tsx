import { ArrowDown, ArrowUp, Eye, EyeOff, Pencil, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { type AvailableModel, changeAvailable, deleteAvailable } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface ModelMenuProps {
  model: AvailableModel;
  /** The neighbours in the list, where they are known. */
  neighbours: readonly (AvailableModel | undefined)[];
  first: AvailableModel | undefined;
  isDefault: boolean;
  onEdit: () => void;
}

/** The actions on an available model. */
export function ModelMenu({ model, neighbours, first, isDefault, onEdit }: ModelMenuProps) {
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
