import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { AUTOMATION_KEYS } from "../use-automation-change.ts";
import { deleteRun, type RunSummary } from "./queries.ts";
import { useRunTexts } from "./texts.ts";
import { useRunActions } from "./use-run-actions.ts";

interface RunMenuProps {
  run: RunSummary;
  title: string;
  /** After it was deleted. */
  onDeleted?: () => void;
}

export function RunMenu({ run, title, onDeleted }: RunMenuProps) {
  const texts = useRunTexts();
  const [isDeleting, setDeleting] = useState(false);
  const actions = useRunActions(run);
  const mayDelete = usePermission("automation:delete") && run.endedAt !== null;
  const removal = {
    key: "delete",
    label: texts.delete,
    isDanger: true,
    onChoose: () => setDeleting(true),
  };
  return (
    <>
      <ActionsMenu
        label={texts.actions(title)}
        items={mayDelete ? [...actions, removal] : actions}
      />
      {isDeleting && (
        <ConfirmChange
          title={texts.deleteTitle}
          text={texts.deleteText(title)}
          action={texts.delete}
          run={() => deleteRun(run.id)}
          keys={AUTOMATION_KEYS}
          done={texts.deleted}
          onDone={onDeleted}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
