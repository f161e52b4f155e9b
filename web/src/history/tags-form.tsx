import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { tagsQuery } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";

/** Of one conversation. */
export const MAX_TAGS = 20;

interface TagsFormProps {
  title: string;
  action: string;
  /** What the field starts with. */
  tags: readonly string[];
  busy: boolean;
  error?: unknown;
  /** The field is `tags`; see `readTags`. */
  onSubmit: (fields: FormData) => void;
  onClose: () => void;
}

/** Asks for tags, and offers those that there are. */
export function TagsForm({ tags, ...dialog }: TagsFormProps) {
  const texts = useHistoryTexts();
  const listId = useId();
  const known = useQuery(tagsQuery).data?.items ?? [];
  return (
    <FormDialog {...dialog}>
      <TextField
        label={texts.tags}
        hint={texts.tagsHint}
        name="tags"
        list={listId}
        defaultValue={tags.join(", ")}
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

export function readTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))].slice(0, MAX_TAGS);
}
