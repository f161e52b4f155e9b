import { useNavigate } from "@tanstack/react-router";
import { FolderInput, MessageSquare, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { MoveAgent } from "./move-dialog.tsx";
import {
  type VisibleListedAgent,
  deleteAgents,
  restoreAgents,
  useAgentChange,
} from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useChange } from "../shell/use-change.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
type Opened = "share" | "move";

interface RowMenuProps {
  agent: VisibleListedAgent;
  onDeleted?: () => void;
}

/** The actions on an agent that the user's share and roles permit. */
export function RowMenu({ agent, onDeleted }: RowMenuProps) {
  const texts = useAgentTexts();
  const [open, setOpen] = useState<Opened>();
  const items = useAgentActions(agent, { open: setOpen, onDeleted });
  const close = () => setOpen(undefined);
  const { id, name } = agent;
  return (
    <>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {open === "move" && <MoveAgent agent={agent} onClose={close} />}
      {open === "share" && (
        <SharingDialog
          resource={{ resourceType: "agent", resourceId: id }}
          name={name}
          path={`/agents/${id}`}
          onClose={close}
        />
      )}
    </>
  );
}

interface Handlers {
  open: (dialog: Opened) => void;
  onDeleted: (() => void) | undefined;
}

function useAgentActions(
  agent: VisibleListedAgent,
  { open, onDeleted }: Handlers,
): MenuItem[] {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const deleteAgent = useDeletion(onDeleted);
  const mayChat = usePermission("conversation:create");
  const mayUpdate = usePermission("agent:update");
  const mayShare = usePermission("share:create");
  const mayDelete = usePermission("agent:delete");
  const { id, role, type } = agent;
  const isOwned = role === "owner";
  const ask: MenuItem = {
    key: "ask",
    label: texts.startConversation,
    icon: MessageSquare,
    onChoose: () => navigate({ to: "/", search: { agent: id } }),
  };
  const look: MenuItem = {
    key: "open",
    label: mayUpdate && isEditable(agent) ? texts.edit : texts.look,
    icon: Pencil,
    onChoose: () => navigate({ to: "/agents/$id", params: { id } }),
  };
  const move: MenuItem = {
    key: "move",
    label: texts.move,
    icon: FolderInput,
    onChoose: () => open("move"),
  };
  const share: MenuItem = {
    key: "share",
    label: texts.share,
    icon: Share2,
    onChoose: () => open("share"),
  };
  const remove: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: () => deleteAgent(id),
  };
  return [
    ...(mayChat ? [ask] : []),
    look,
    ...(mayUpdate && isOwned ? [move] : []),
    ...(mayShare && isOwned && type !== "organization" ? [share] : []),
    ...(mayDelete && isOwned ? [remove] : []),
  ];
}

export function isEditable({ role }: VisibleListedAgent): boolean {
  return role === "owner" || role === "editor";
}

const KEYS = [["agents"]];

/** Moves an agent to the trash, and offers to undo it. */
function useDeletion(onDone?: () => void) {
  const texts = useAgentTexts();
  const restore = useAgentChange(restoreAgents);
  const remove = useChange({
    async run(id: string) {
      const refused = (await deleteAgents([id])).get(id);
      if (refused) throw refused;
      return id;
    },
    keys: KEYS,
    onDone(id) {
      notify(texts.deleted(1), () => restore.mutate([id], { onError: notifyFailure }));
      onDone?.();
    },
  });
  return (id: string) => remove.mutate(id, { onError: notifyFailure });
}
