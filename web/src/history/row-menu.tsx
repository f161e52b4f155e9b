import { useNavigate } from "@tanstack/react-router";
import { Download, Pencil, Pin, PinOff, Share2, Tags, Trash2 } from "lucide-react";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";
import {
  deleteConversation,
  type Entry,
  exportAddress,
  restoreConversation,
} from "./queries.ts";
import type { RowDialog } from "./row.tsx";
import { useHistoryTexts } from "./texts.ts";
import { useConversationChange, useListChange } from "./use-change.ts";

interface RowMenuProps {
  conversation: Entry;
  title: string;
  onDialog: (dialog: RowDialog) => void;
}

/** The actions on a conversation that the user's roles permit. */
export function RowMenu({ conversation, title, onDialog }: RowMenuProps) {
  const texts = useHistoryTexts();
  const { id, pinned } = conversation;
  const navigate = useNavigate();
  const change = useConversationChange(id);
  const remove = useRemoval(id);
  const may = {
    update: usePermission("conversation:update"),
    share: usePermission("share:create"),
    export: usePermission("conversation:export"),
    delete: usePermission("conversation:delete"),
  };
  const open = () => void navigate({ to: "/c/$id", params: { id } });
  const changes: MenuItem[] = [
    {
      key: "pin",
      label: pinned ? texts.unpin : texts.pin,
      icon: pinned ? PinOff : Pin,
      onChoose: () => change.mutate({ pinned: !pinned }),
    },
    {
      key: "rename",
      label: texts.rename,
      icon: Pencil,
      onChoose: () => onDialog("rename"),
    },
    { key: "tags", label: texts.editTags, icon: Tags, onChoose: () => onDialog("tags") },
  ];
  const exports: MenuItem[] = (["md", "json"] as const).map((format) => ({
    key: format,
    label: format === "md" ? texts.exportMarkdown : texts.exportJson,
    icon: Download,
    onChoose: () => location.assign(exportAddress(id, format)), // an attachment: the page stays
  }));
  const sharing: MenuItem = {
    key: "share",
    label: texts.share,
    icon: Share2,
    onChoose: () => onDialog("share"),
  };
  const removal: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: remove,
  };
  const items = [
    { key: "open", label: texts.open, onChoose: open },
    ...(may.update ? changes : []),
    ...(may.share ? [sharing] : []),
    ...(may.export ? exports : []),
    ...(may.delete ? [removal] : []),
  ];
  return <ActionsMenu label={texts.actions(title)} items={items} />;
}

/** Puts a conversation into the trash, from where it can be taken back. */
function useRemoval(id: string): () => void {
  const texts = useHistoryTexts();
  const restore = useListChange(() => restoreConversation(id));
  const undo = () => restore.mutate();
  const remove = useListChange(
    () => deleteConversation(id),
    () => notify(texts.deleted, undo),
  );
  return () => remove.mutate();
}
