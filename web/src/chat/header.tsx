import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Pencil, Printer, Search, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../../src/services/core/conversations/contract.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Menu } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { deleteConversation, renameConversation, restoreConversation } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface HeaderProps {
  conversation: Pick<Conversation, "id" | "title">;
  onFind: () => void;
}

/** The title of a conversation, and what can be done with it. */
export function Header({ conversation, onFind }: HeaderProps) {
  const texts = useChatTexts();
  const navigate = useNavigate();
  const [isRenaming, setRenaming] = useState(false);
  const remove = useRemoval(conversation.id);
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
      <Menu
        label={texts.more}
        align="end"
        triggerClass={
          "inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken " +
          "hover:text-ink pointer-coarse:size-11"
        }
        trigger={<Ellipsis aria-hidden size={17} />}
        groups={[
          {
            key: "all",
            items: [
              { key: "find", label: texts.find, icon: Search, onChoose: onFind },
              {
                key: "rename",
                label: texts.rename,
                icon: Pencil,
                onChoose: () => setRenaming(true),
              },
              {
                key: "print",
                label: texts.print,
                icon: Printer,
                onChoose: () => void navigate({ to: "/c/$id/print", params: { id } }),
              },
              {
                key: "delete",
                label: texts.delete,
                icon: Trash2,
                isDanger: true,
                onChoose: remove,
              },
            ],
          },
        ]}
      />
      {isRenaming && (
        <RenameDialog conversation={conversation} onClose={() => setRenaming(false)} />
      )}
    </header>
  );
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

function RenameDialog({
  conversation,
  onClose,
}: Pick<HeaderProps, "conversation"> & { onClose: () => void }) {
  const texts = useChatTexts();
  const queries = useQueryClient();
  const renaming = useMutation({
    mutationFn: (title: string) => renameConversation(conversation.id, title),
    async onSuccess() {
      onClose();
      await queries.invalidateQueries({ queryKey: ["conversation", conversation.id] });
      await queries.invalidateQueries({ queryKey: ["conversations"] });
    },
  });
  return (
    <Dialog title={texts.renameTitle} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(String(new FormData(event.currentTarget).get("title") ?? ""));
        }}
      >
        <TextField
          label={texts.title}
          name="title"
          defaultValue={conversation.title}
          maxLength={300}
          required
          autoFocus
        />
        {renaming.error && <Problem error={renaming.error} />}
        <Button type="submit" look="primary" busy={renaming.isPending}>
          {texts.save}
        </Button>
      </form>
    </Dialog>
  );
}
