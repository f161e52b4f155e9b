import { RenameDialog } from "../ui/rename-dialog.tsx";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { useHistoryTexts } from "./texts.ts";
import { useConversationChange } from "./use-change.ts";

interface ConversationNameProps {
  conversation: Pick<Conversation, "id" | "title">;
  onClose: () => void;
}

/** Asks for another title of a conversation. */
export function ConversationName({ conversation, onClose }: ConversationNameProps) {
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
