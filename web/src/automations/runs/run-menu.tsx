import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { notify } from "../../ui/notices.tsx";
import { useAutomationChange } from "../use-automation-change.ts";
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
  const remove = useAutomationChange(
    () => deleteRun(run.id),
    () => {
      setDeleting(false);
      notify(texts.deleted);
      onDeleted?.();
    },
  );
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
        <Confirm
          title={texts.deleteTitle}
          text={texts.deleteText(title)}
          action={texts.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
