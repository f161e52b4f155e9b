import { useNavigate } from "@tanstack/react-router";
import { FolderInput, MessageSquare, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import type { VisibleAgent } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useDeletion } from "./use-deletion.ts";

/** What can be done with an agent, as far as one's role in it and roles at all permit. */
export function RowMenu({
  agent,
  onDeleted,
}: {
  agent: VisibleAgent;
  onDeleted?: () => void;
}) {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"share" | "move">();
  const close = () => setOpen(undefined);
  const { id, name, role, type } = agent;
  const isOwned = role === "owner";
  const isShareable = isOwned && type !== "organization";
  const deletion = useDeletion(onDeleted);
  const mayChat = usePermission("conversation:create");
  const mayUpdate = usePermission("agent:update");
  const mayShare = usePermission("share:create");
  const mayDelete = usePermission("agent:delete");
  const item = (
    key: string,
    label: string,
    icon: NonNullable<MenuItem["icon"]>,
    onChoose: () => void,
  ): MenuItem => ({ key, label, icon, onChoose });
  const items = [
    ...(mayChat
      ? [
          item("ask", texts.startConversation, MessageSquare, () =>
            navigate({ to: "/", search: { agent: id } }),
          ),
        ]
      : []),
    item("open", mayUpdate && isEditable(agent) ? texts.edit : texts.look, Pencil, () =>
      navigate({ to: "/agents/$id", params: { id } }),
    ),
    ...(mayUpdate && isOwned
      ? [item("move", texts.move, FolderInput, () => setOpen("move"))]
      : []),
    ...(mayShare && isShareable
      ? [item("share", texts.share, Share2, () => setOpen("share"))]
      : []),
    ...(mayDelete && isOwned
      ? [
          {
            ...item("delete", texts.delete, Trash2, () => deletion.mutate([agent.id])),
            isDanger: true,
          },
        ]
      : []),
  ];
  return (
    <>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {open === "move" && <MoveDialog agents={[agent]} onClose={close} />}
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

export function isEditable({ role }: VisibleAgent): boolean {
  return role === "owner" || role === "editor";
}
