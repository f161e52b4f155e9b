import { useNavigate } from "@tanstack/react-router";
import { FolderPlus, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { notify } from "../ui/notices.tsx";
import { FolderDialog } from "./folder-dialog.tsx";
import { deleteFolder, type TreeFolder } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { useAgentChange } from "./use-change.ts";

type Open = "new" | "change" | "delete" | undefined;

/** The actions on a folder. */
export function FolderMenu({ folder }: { folder: TreeFolder }) {
  const texts = useAgentTexts();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayCreate = usePermission("agent:create");
  const mayUpdate = usePermission("agent:update");
  const mayDelete = usePermission("agent:delete");
  const item = (key: NonNullable<Open>, label: string, icon: typeof Pencil) => ({
    key,
    label,
    icon,
    onChoose: () => setOpen(key),
  });
  const items = [
    ...(mayCreate ? [item("new", texts.newFolderInside, FolderPlus)] : []),
    ...(mayUpdate ? [item("change", texts.changeFolder, Pencil)] : []),
    ...(mayDelete
      ? [{ ...item("delete", texts.deleteFolder, Trash2), isDanger: true }]
      : []),
  ];
  return (
    <>
      <ActionsMenu label={texts.actions(folder.name)} items={items} />
      {open === "new" && <FolderDialog parentId={folder.id} onClose={close} />}
      {open === "change" && (
        <FolderDialog folder={folder} parentId={folder.parentId} onClose={close} />
      )}
      {open === "delete" && <FolderDeletion folder={folder} onClose={close} />}
    </>
  );
}

function FolderDeletion({ folder, onClose }: { folder: TreeFolder; onClose: () => void }) {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const remove = useAgentChange(
    () => deleteFolder(folder.id),
    () => {
      onClose();
      notify(texts.folderDeleted);
      void navigate({
        to: "/agents",
        search: folder.parentId ? { folder: folder.parentId } : {},
      });
    },
  );
  return (
    <Confirm
      title={texts.deleteFolderTitle}
      text={texts.deleteFolderText(folder.name)}
      action={texts.deleteFolder}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
