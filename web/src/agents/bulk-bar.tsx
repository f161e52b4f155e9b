import { FolderInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import type { VisibleAgent } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useDeletion } from "./use-deletion.ts";

interface BulkBarProps {
  /** Those that are chosen. */
  agents: readonly VisibleAgent[];
  onAll: () => void;
  onNone: () => void;
}

/** What can be done with all that is chosen; nothing while nothing is. */
export function BulkBar({ agents, onAll, onNone }: BulkBarProps) {
  const texts = useAgentTexts();
  const [isMoving, setMoving] = useState(false);
  const deletion = useDeletion(onNone);
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  if (agents.length === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label={texts.chosen(agents.length)}
      className="flex flex-wrap items-center gap-2 rounded-lg bg-sunken px-3 py-1.5"
    >
      <span className="flex-1 basis-24" role="status">
        {texts.chosen(agents.length)}
      </span>
      <Button look="quiet" onClick={onAll}>
        {texts.chooseAll}
      </Button>
      <Button look="quiet" onClick={onNone}>
        {texts.chooseNone}
      </Button>
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
    </div>
  );
}
