import { useNavigate } from "@tanstack/react-router";
import { usePermission } from "../../shell/queries.ts";
import { useRowChange } from "../use-automation-change.ts";
import { cancelRun, rerun, retryRun, type RunSummary } from "./queries.ts";
import { useRunTexts } from "./texts.ts";

export interface RunAction {
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
