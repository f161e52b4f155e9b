import { FolderInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import type { VisibleListedAgent } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useDeletion } from "./use-deletion.ts";

interface BulkBarProps {
  /** The chosen items. */
  agents: readonly VisibleListedAgent[];
  onAll: () => void;
  onNone: () => void;
}

/** Actions on the chosen items. Renders nothing while none is chosen. */
export function BulkBar({ agents, onAll, onNone }: BulkBarProps) {
  const texts = useAgentTexts();
  const [isMoving, setMoving] = useState(false);
  const deletion = useDeletion(onNone);
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  if (agents.length === 0) return null;
  return (
    <ChosenBar
      label={texts.chosen(agents.length)}
      allLabel={texts.chooseAll}
      noneLabel={texts.chooseNone}
      onAll={onAll}
      onNone={onNone}
    >
      {mayUpdate && (
        <Button onClick={() => setMoving(true)}>
          <FolderInput aria-hidden size={16} />
          {texts.move}
        </Button>
      )}
      {mayDelete && (
        <Button
          look="danger"
          busy={deletion.isPending}
          onClick={() => deletion.mutate(agents.map(({ id }) => id))}
        >
          <Trash2 aria-hidden size={16} />
          {texts.delete}
        </Button>
      )}
      {isMoving && (
        <MoveDialog
          agents={agents}
          onClose={() => {
            setMoving(false);
            onNone();
          }}
        />
      )}
    </ChosenBar>
  );
}
