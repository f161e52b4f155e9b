import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleHelp, NotebookPen, Pencil, Printer, Search, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { AccessDialog } from "../sharing/access-reason.tsx";
import { meQuery } from "../shell/queries.ts";
import { useChange } from "../shell/use-change.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";
import { RenameDialog } from "../ui/rename-dialog.tsx";
import { deleteConversation, renameConversation, restoreConversation } from "./queries.ts";
import { useChatTexts } from "./texts.ts";
import { useNewCanvas } from "./use-new-canvas.ts";

type Dialog = "rename" | "access";

interface HeaderProps {
  conversation: Pick<Conversation, "id" | "title" | "userId">;
  onFind: () => void;
}

/** The title of a conversation, and its actions. */
export function Header({ conversation, onFind }: HeaderProps) {
  const texts = useChatTexts();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { id, title } = conversation;
  return (
    <header
      className={
        "absolute inset-x-0 top-0 z-10 flex min-h-11 items-center gap-1 bg-page/95 pr-2 pl-12 " +
        "md:pl-6 print:hidden"
      }
    >
      <h1 className="min-w-0 flex-1 truncate text-base" title={title}>
        <bdi>{title || texts.newTitle}</bdi>
      </h1>
      <ActionsMenu
        label={texts.more}
        items={useActions({ conversation, onFind }, setDialog)}
      />
      {dialog === "rename" && (
        <ConversationName conversation={conversation} onClose={close} />
      )}
      {dialog === "access" && (
        <AccessDialog
          resource={{ resourceType: "conversation", resourceId: id }}
          onClose={close}
        />
      )}
    </header>
  );
}

/** The actions of the menu. Some depend on the roles of the person and on who owns it. */
function useActions(
  { conversation, onFind }: HeaderProps,
  open: (dialog: Dialog) => void,
): MenuItem[] {
  const texts = useChatTexts();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const { id, userId } = conversation;
  const remove = useRemoval(id);
  const create = useNewCanvas(id);
  const isOthers = me !== undefined && userId !== me.id;
  const newCanvas = {
    key: "canvas",
    label: texts.newCanvas,
    icon: NotebookPen,
    onChoose: () => create?.({ title: texts.untitled, content: "" }),
  };
  const explain = {
    key: "why",
    label: texts.whySeen,
    icon: CircleHelp,
    onChoose: () => open("access"),
  };
  return [
    { key: "find", label: texts.find, icon: Search, onChoose: onFind },
    ...(create ? [newCanvas] : []),
    { key: "rename", label: texts.rename, icon: Pencil, onChoose: () => open("rename") },
    ...(isOthers ? [explain] : []),
    {
      key: "print",
      label: texts.print,
      icon: Printer,
      onChoose: () => void navigate({ to: "/c/$id/print", params: { id } }),
    },
    { key: "delete", label: texts.delete, icon: Trash2, isDanger: true, onChoose: remove },
  ];
}

/** Puts the conversation into the trash, from where it can be taken back. */
function useRemoval(id: string): () => void {
  const texts = useChatTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: ["conversations"] });
  const restore = useMutation({
    mutationFn: () => restoreConversation(id),
    async onSuccess() {
      await refresh();
      await navigate({ to: "/c/$id", params: { id } });
    },
  });
  const removal = useMutation({
    mutationFn: () => deleteConversation(id),
    async onSuccess() {
      await navigate({ to: "/" });
      await refresh();
      notify(texts.deleted, restore.mutate);
    },
  });
  return () => removal.mutate();
}

function ConversationName({
  conversation,
  onClose,
}: Pick<HeaderProps, "conversation"> & { onClose: () => void }) {
  const texts = useChatTexts();
  const renaming = useChange({
    run: (title: string) => renameConversation(conversation.id, title),
    keys: [["conversation", conversation.id], ["conversations"]],
    onDone: onClose,
  });
  return (
    <RenameDialog
      title={texts.renameTitle}
      action={texts.save}
      label={texts.title}
      name={conversation.title}
      renaming={renaming}
      onRename={renaming.mutate}
      onClose={onClose}
    />
  );
}
