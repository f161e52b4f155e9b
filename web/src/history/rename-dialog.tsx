import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Entry } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useConversationChange } from "./use-change.ts";

interface RenameProps {
  conversation: Entry;
  onClose: () => void;
}

export function RenameDialog({ conversation, onClose }: RenameProps) {
  const texts = useHistoryTexts();
  const change = useConversationChange(conversation.id, onClose);
  return (
    <FormDialog
      title={texts.renameTitle}
      action={texts.save}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) => change.mutate({ title: textOf(fields, "title") })}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="title"
        defaultValue={conversation.title}
        maxLength={300}
        required
        autoFocus
      />
    </FormDialog>
  );
}
