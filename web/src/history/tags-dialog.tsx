import { useId } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { type Entry, tagsQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useChange } from "./use-change.ts";

const MAX_TAGS = 20;

interface TagsProps {
  conversation: Entry;
  onClose: () => void;
}

export function TagsDialog({ conversation, onClose }: TagsProps) {
  const texts = useHistoryTexts();
  const listId = useId();
  const known = useQuery(tagsQuery).data?.items ?? [];
  const change = useChange(conversation.id);
  return (
    <Dialog title={texts.tagsTitle} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get("tags") ?? "");
          change.mutate({ tags: readTags(text) }, { onSuccess: onClose });
        }}
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
        {change.error && <Problem error={change.error} />}
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.save}
        </Button>
      </form>
    </Dialog>
  );
}

function readTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))].slice(0, MAX_TAGS);
}
