import { useQuery } from "@tanstack/react-query";
import { Download, Pencil, Pin, PinOff, Share2, Tags, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { SharingDialog } from "../sharing/dialog.tsx";
import { meQuery, usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { Button } from "../ui/button.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { exportAddress, useConversationChange, useRemoval } from "./queries.ts";
import { readTags, TagsForm } from "./tags-form.tsx";
import { useHistoryTexts } from "./texts.ts";
import { RenameDialog } from "../ui/rename-dialog.tsx";
import { textOf } from "../ui/form-dialog.tsx";

type Dialog = "rename" | "tags" | "share";

interface ConversationMenuProps {
  conversation: Conversation;
  /** The accessible name of the button. Default: whose actions they are. */
  label?: string;
  /** What else the menu offers, before and after its own. */
  first?: MenuItem[];
  more?: MenuItem[];
  /** Whether sharing has a button of its own beside the menu. */
  hasShareButton?: boolean;
  onDeleted?: () => void | Promise<void>;
  onRestored?: () => void | Promise<void>;
}

/** The actions on a conversation that the user's roles permit, in a list and on its page. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { conversation, first = [], more = [], hasShareButton } = props;
  const texts = useHistoryTexts();
  const { label = texts.actions(conversation.title || texts.untitled) } = props;
  const [dialog, setDialog] = useState<Dialog>();
  const may = useMay(conversation);
  const share = () => setDialog("share");
  const items = useItems(props, setDialog);
  const sharing: MenuItem = {
    key: "share",
    label: texts.share,
    icon: Share2,
    onChoose: share,
  };
  const isInMenu = may.share && !hasShareButton;
  return (
    <>
      {may.share && hasShareButton && (
        <Button look="quiet" onClick={share}>
          <Share2 aria-hidden size={16} />
          <span className="max-sm:sr-only">{texts.share}</span>
        </Button>
      )}
      <ActionsMenu
        label={label}
        items={[
          ...first,
          ...(may.update ? items.changes : []),
          ...(isInMenu ? [sharing] : []),
          ...(may.export ? items.exports : []),
          ...more,
          ...(may.delete ? [items.removal] : []),
        ]}
      />
      <Dialogs
        conversation={conversation}
        open={dialog}
        onClose={() => setDialog(undefined)}
      />
    </>
  );
}

/** What the roles of the person permit. What others share is theirs to pin, share and delete. */
function useMay({ userId }: Conversation) {
  const { data: me } = useQuery(meQuery);
  const isOwn = me?.id === userId;
  const may = {
    update: usePermission("conversation:update"),
    share: usePermission("share:create"),
    export: usePermission("conversation:export"),
    delete: usePermission("conversation:delete"),
  };
  return isOwn ? may : { ...may, update: false, share: false, delete: false };
}

function useItems(
  { conversation, onDeleted, onRestored }: ConversationMenuProps,
  onDialog: (dialog: Dialog) => void,
) {
  const texts = useHistoryTexts();
  const { id, pinned } = conversation;
  const change = useConversationChange(id);
  const remove = useRemoval(id, { onDeleted, onRestored });
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
  const removal: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: remove,
  };
  return { changes, exports, removal };
}

interface DialogsProps {
  conversation: Conversation;
  open: Dialog | undefined;
  onClose: () => void;
}

function Dialogs({ conversation, open, onClose }: DialogsProps) {
  const texts = useHistoryTexts();
  const { id, title } = conversation;
  if (open === "rename")
    return <ConversationName conversation={conversation} onClose={onClose} />;
  if (open === "tags") return <TagsDialog conversation={conversation} onClose={onClose} />;
  if (open !== "share") return null;
  return (
    <SharingDialog
      resource={{ resourceType: "conversation", resourceId: id }}
      name={title || texts.untitled}
      path={`/c/${id}`}
      onClose={onClose}
    />
  );
}

interface ConversationNameProps {
  conversation: Pick<Conversation, "id" | "title">;
  onClose: () => void;
}

/** Asks for another title of a conversation. */
function ConversationName({ conversation, onClose }: ConversationNameProps) {
  const texts = useHistoryTexts();
  const change = useConversationChange(conversation.id, onClose);
  return (
    <RenameDialog
      title={texts.renameTitle}
      action={texts.save}
      label={texts.name}
      name={conversation.title}
      renaming={change}
      onRename={(title) => change.mutate({ title })}
      onClose={onClose}
    />
  );
}

interface TagsProps {
  conversation: Pick<Conversation, "id" | "tags">;
  onClose: () => void;
}

function TagsDialog({ conversation, onClose }: TagsProps) {
  const texts = useHistoryTexts();
  const change = useConversationChange(conversation.id, onClose);
  return (
    <TagsForm
      title={texts.tagsTitle}
      action={texts.save}
      tags={conversation.tags}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) => change.mutate({ tags: readTags(textOf(fields, "tags")) })}
      onClose={onClose}
    />
  );
}
