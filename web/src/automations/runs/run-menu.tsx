import { useState } from "react";
import { usePermission } from "../../shell/queries.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { AUTOMATION_KEYS, useRowChange } from "../use-automation-change.ts";
import { deleteRun, type RunSummary, cancelRun, rerun, retryRun } from "./queries.ts";
import { useRunTexts } from "./texts.ts";
import { useNavigate } from "@tanstack/react-router";

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

interface RunAction {
  key: string;
  label: string;
  onChoose: () => void;
}

/** The actions on a run that its state and the user's roles permit. */
export function useRunActions({
  id,
  status,
}: Pick<RunSummary, "id" | "status">): RunAction[] {
  const texts = useRunTexts();
  const navigate = useNavigate();
  const mayRun = usePermission("automation:run");
  const show = (runId: string) =>
    void navigate({ to: "/automations/runs/$id", params: { id: runId } });
  const cancel = useRowChange(() => cancelRun(id));
  const retry = useRowChange(() => retryRun(id));
  const again = useRowChange(
    () => rerun(id),
    ({ runId }) => show(runId),
  );
  if (!mayRun || status === "unmatched") return [];
  if (status === "reading" || status === "running")
    return [{ key: "cancel", label: texts.cancel, onChoose: cancel }];
  const all = { key: "rerun", label: texts.rerun, onChoose: again };
  if (status === "completed") return [all];
  return [{ key: "retry", label: texts.retry, onChoose: retry }, all];
}
