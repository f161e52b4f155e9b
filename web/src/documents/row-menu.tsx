import {
  CircleStop,
  FilePlus2,
  Download,
  Pencil,
  RotateCw,
  Share2,
  SkipForward,
  Trash2,
} from "lucide-react";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import {
  isBeingProcessed,
  reprocessDocument,
  skipDocument,
  type StoredDocument,
  stopDocument,
  contentAddress,
  useKeeping,
  useProcessing,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

export type RowDialog = "rename" | "share" | "delete";

interface RowMenuProps {
  document: StoredDocument;
  onDialog: (dialog: RowDialog) => void;
}

/** The actions on a document that its state and the user's roles permit. */
export function RowMenu({ document, onDialog }: RowMenuProps) {
  const texts = useDocumentTexts();
  const { id, fileName, status, skipped } = document;
  const processing = useProcessing();
  const keep = useKeeping(id);
  const mayUpdate = usePermission("document:update");
  const mayShare = usePermission("share:create");
  const mayDelete = usePermission("document:delete");
  const item = (
    key: string,
    label: string,
    icon: NonNullable<MenuItem["icon"]>,
    onChoose: () => void,
  ): MenuItem => ({ key, label, icon, onChoose });
  const steps: MenuItem[] = isBeingProcessed(document)
    ? [
        item("stop", texts.stop, CircleStop, () =>
          processing.mutate(() => stopDocument(id)),
        ),
      ]
    : [
        item("again", texts.reprocess, RotateCw, () =>
          processing.mutate(() => reprocessDocument(id)),
        ),
      ];
  if (status === "FAILED" && !skipped) {
    steps.push(
      item("skip", texts.skip, SkipForward, () =>
        processing.mutate(() => skipDocument(id)),
      ),
    );
  }
  const items = [
    item("download", texts.download, Download, () => location.assign(contentAddress(id))),
    ...(mayUpdate && document.isAttachment
      ? [item("keep", texts.keep, FilePlus2, () => keep.mutate())]
      : []),
    ...(mayUpdate
      ? [item("rename", texts.rename, Pencil, () => onDialog("rename")), ...steps]
      : []),
    ...(mayShare ? [item("share", texts.share, Share2, () => onDialog("share"))] : []),
    ...(mayDelete
      ? [
          {
            ...item("delete", texts.delete, Trash2, () => onDialog("delete")),
            isDanger: true,
          },
        ]
      : []),
  ];
  return <ActionsMenu label={texts.actions(fileName)} items={items} />;
}
