import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { notify } from "../ui/notices.tsx";
import { FolderSelect } from "./folder-select.tsx";
import { notifyUnchanged } from "./notify-unchanged.ts";
import { moveAgents, type VisibleListedAgent } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";

interface MoveDialogProps {
  agents: readonly VisibleListedAgent[];
  onClose: () => void;
}

/** Moves agents into a folder, or out of theirs. */
export function MoveDialog({ agents, onClose }: MoveDialogProps) {
  const texts = useAgentTexts();
  const ids = agents.map(({ id }) => id);
  const move = useAgentChange(
    (folderId: string | null) => moveAgents(ids, folderId),
    ({ results }) => {
      if (!notifyUnchanged(results, texts)) notify(texts.moved(results.length));
      onClose();
    },
  );
  return (
    <FormDialog
      title={texts.moveTitle(agents.length)}
      action={texts.move}
      busy={move.isPending}
      error={move.error}
      onSubmit={(fields) => move.mutate(textOf(fields, "folder") || null)}
      onClose={onClose}
    >
      <FolderSelect label={texts.moveTo} defaultValue={agents[0]?.folderId ?? null} />
    </FormDialog>
  );
}
