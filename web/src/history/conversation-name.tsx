import { RenameDialog } from "../ui/rename-dialog.tsx";
import type { Entry } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useConversationChange } from "./use-change.ts";

interface ConversationNameProps {
  conversation: Entry;
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
