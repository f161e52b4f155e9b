import { useId } from "react";
import { useQuery } from "@tanstack/react-query";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { tagsQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useConversationChange } from "./use-change.ts";

const MAX_TAGS = 20;

interface TagsProps {
  conversation: Pick<Conversation, "id" | "tags">;
  onClose: () => void;
}

export function TagsDialog({ conversation, onClose }: TagsProps) {
  const texts = useHistoryTexts();
  const listId = useId();
  const known = useQuery(tagsQuery).data?.items ?? [];
  const change = useConversationChange(conversation.id, onClose);
  return (
    <FormDialog
      title={texts.tagsTitle}
      action={texts.save}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) => change.mutate({ tags: readTags(textOf(fields, "tags")) })}
      onClose={onClose}
    >
      <TextField
        label={texts.tags}
        hint={texts.tagsHint}
        name="tags"
        list={listId}
        defaultValue={conversation.tags.join(", ")}
        autoFocus
      />
      <datalist id={listId}>
        {known.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}

function readTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))].slice(0, MAX_TAGS);
}
