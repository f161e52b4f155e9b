import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { notify } from "../ui/notices.tsx";
import { FolderSelect } from "./folder-select.tsx";
import { moveAgents, type VisibleListedAgent, useAgentChange } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface MoveDialogProps {
  agents: readonly VisibleListedAgent[];
  busy?: boolean;
  error?: unknown;
  /** Null: out of their folders. */
  onMove: (folderId: string | null) => void;
  onClose: () => void;
}

/** Asks where agents go. */
export function MoveDialog({ agents, busy, error, onMove, onClose }: MoveDialogProps) {
  const texts = useAgentTexts();
  return (
    <FormDialog
      title={texts.moveTitle(agents.length)}
      action={texts.move}
      busy={busy ?? false}
      error={error}
      onSubmit={(fields) => onMove(textOf(fields, "folder") || null)}
      onClose={onClose}
    >
      <FolderSelect label={texts.moveTo} defaultValue={agents[0]?.folderId ?? null} />
    </FormDialog>
  );
}

interface MoveAgentProps {
  agent: VisibleListedAgent;
  onClose: () => void;
}

/** Moves one agent into a folder, or out of its own. */
export function MoveAgent({ agent, onClose }: MoveAgentProps) {
  const texts = useAgentTexts();
  const move = useAgentChange(
    async (folderId: string | null) => {
      const refused = (await moveAgents([agent.id], folderId)).get(agent.id);
      if (refused) throw refused;
    },
    () => {
      notify(texts.moved(1));
      onClose();
    },
  );
  return (
    <MoveDialog
      agents={[agent]}
      busy={move.isPending}
      error={move.error}
      onMove={(folderId) => move.mutate(folderId)}
      onClose={onClose}
    />
  );
}
