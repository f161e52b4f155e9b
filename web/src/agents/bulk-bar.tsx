import { FolderInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import { MoveDialog } from "./move-dialog.tsx";
import {
  deleteAgents,
  MAX_AGENTS_PER_CALL,
  moveAgents,
  restoreAgents,
  type VisibleListedAgent,
} from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface BulkBarProps {
  chosen: Chosen;
  /** All of the list. */
  agents: readonly VisibleListedAgent[];
}

/** Moves or deletes the chosen agents, and says which of them it could not. */
export function BulkBar({ chosen, agents }: BulkBarProps) {
  const texts = useAgentTexts();
  const [isMoving, setMoving] = useState(false);
  const bulk = useBulk([["agents"], ["agent"]]);
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  const isBusy = bulk.state === "running";
  const some = agents.filter(({ id }) => chosen.has(id));
  const items = some.map(({ id, name }) => ({ id, name }));
  const many = { items, size: MAX_AGENTS_PER_CALL, onDone: chosen.none };
  const move = (folderId: string | null) =>
    bulk.start({ ...many, act: (ids) => moveAgents(ids, folderId), done: texts.moved });
  const remove = () =>
    bulk.start({
      ...many,
      act: deleteAgents,
      done: texts.deleted,
      undo: (deleted) =>
        bulk.start({
          items: deleted,
          act: oneByOne((id) => restoreAgents([id])),
          done: texts.restored,
        }),
    });
  return (
    <>
      <ChosenBar chosen={chosen}>
        {mayUpdate && (
          <Button look="quiet" busy={isBusy} onClick={() => setMoving(true)}>
            <FolderInput aria-hidden size={16} />
            {texts.move}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={remove}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <BulkReport bulk={bulk} />
      {isMoving && (
        <MoveDialog
          agents={some}
          onMove={(folderId) => {
            move(folderId);
            setMoving(false);
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </>
  );
}
