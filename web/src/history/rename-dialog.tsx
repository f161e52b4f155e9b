import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Entry } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { useChange } from "./use-change.ts";

interface RenameProps {
  conversation: Entry;
  onClose: () => void;
}

export function RenameDialog({ conversation, onClose }: RenameProps) {
  const texts = useHistoryTexts();
  const change = useChange(conversation.id);
  return (
    <Dialog title={texts.renameTitle} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const title = String(new FormData(event.currentTarget).get("title") ?? "");
          change.mutate({ title }, { onSuccess: onClose });
        }}
      >
        <TextField
          label={texts.name}
          name="title"
          defaultValue={conversation.title}
          maxLength={300}
          required
          autoFocus
        />
        {change.error && <Problem error={change.error} />}
        <Button type="submit" look="primary" busy={change.isPending}>
          {texts.save}
        </Button>
      </form>
    </Dialog>
  );
}
