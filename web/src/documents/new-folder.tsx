import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { createFolder } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useDocumentChange } from "./use-change.ts";

interface NewFolderProps {
  parentId: string | null;
  onClose: () => void;
}

export function NewFolderDialog({ parentId, onClose }: NewFolderProps) {
  const texts = useDocumentTexts();
  const create = useDocumentChange((name: string) => createFolder(name, parentId), onClose);
  return (
    <Dialog title={texts.newFolder} size="small" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(String(new FormData(event.currentTarget).get("name") ?? ""));
        }}
      >
        <TextField label={texts.folderName} name="name" maxLength={200} required autoFocus />
        {create.error && <Problem error={create.error} />}
        <Button type="submit" look="primary" busy={create.isPending}>
          {texts.create}
        </Button>
      </form>
    </Dialog>
  );
}
