import { Link, useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useState } from "react";
import { FileType } from "../../../src/services/core/canvas/contract.ts";
import { useChange } from "../shell/use-change.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";
import { RenameDialog } from "../ui/rename-dialog.tsx";
import {
  deleteCanvas,
  exportAddress,
  renameCanvas,
  restoreCanvas,
  type StoredCanvas,
  type OpenCanvas,
} from "./queries.ts";
import type { CanvasSearch } from "./search.ts";
import { useCanvasTexts } from "./texts.ts";

interface HeaderProps {
  canvas: StoredCanvas;
  open: OpenCanvas;
  search: CanvasSearch;
  /** Whether the text below begins with the title, which shows here once that is out of sight. */
  isBelow: boolean;
  onClose: () => void;
}

const BUTTON =
  "inline-flex min-h-8 shrink-0 items-center rounded-md px-2.5 hover:bg-hover " +
  "pointer-coarse:min-h-11";

/** By the scrolling of the text; where the browser knows no such, it always shows. */
const SHOWN_AGAIN =
  "supports-[animation-timeline:--canvas]:opacity-0 [animation:show_linear_both] " +
  "[animation-range:32px_72px] [animation-timeline:--canvas]";

/** The title of a canvas, its version, and what can be done with it. */
export function Header({ canvas, open, search, isBelow, onClose }: HeaderProps) {
  const texts = useCanvasTexts();
  const [isRenaming, setRenaming] = useState(false);
  const items = useMenuItems({ canvas, open, search, onClose }, () => setRenaming(true));
  const isReading = search.view === undefined;
  return (
    <header className="flex min-h-13 flex-wrap items-center justify-end gap-x-1 px-4 py-1.5 md:pr-2 md:pl-6">
      <h2
        className={join(
          "min-w-0 flex-1 basis-32 truncate text-base",
          isBelow && SHOWN_AGAIN,
        )}
        title={canvas.title}
      >
        <bdi>{canvas.title}</bdi>
      </h2>
      {!isReading && (
        <Link to="." search={{}} className={BUTTON}>
          {search.view === "edit" ? texts.done : texts.read}
        </Link>
      )}
      {isReading && open.may.edit && !open.lock && search.version === undefined && (
        <Link to="." search={{ view: "edit" }} className={`${BUTTON} text-accent`}>
          {texts.edit}
        </Link>
      )}
      <Link
        to="."
        search={{ view: "versions" }}
        aria-label={texts.versionsOf(canvas.version)}
        title={texts.versions}
        className={`${BUTTON} text-muted tabular-nums`}
      >
        v{canvas.version}
      </Link>
      <ActionsMenu label={texts.actions} items={items} />
      <IconButton icon={X} label={texts.close} onClick={onClose} />
      {isRenaming && <CanvasName canvas={canvas} onClose={() => setRenaming(false)} />}
    </header>
  );
}

function useMenuItems(
  { canvas, open, search, onClose }: Omit<HeaderProps, "isBelow">,
  onRename: () => void,
): MenuItem[] {
  const texts = useCanvasTexts();
  const navigate = useNavigate();
  const remove = useRemoval(canvas.id, onClose);
  const { version } = search;
  const compare = {
    key: "compare",
    label: texts.compare,
    onChoose: () => void navigate({ to: ".", search: { view: "diff", version } }),
  };
  const exports = FileType.options
    .filter((type) => type !== "json" || canvas.type === "code")
    .map((type) => ({
      key: type,
      label: texts.exportAs(texts.formats[type]),
      // an attachment: the page stays
      onChoose: () => location.assign(exportAddress(canvas.id, type, version)),
    }));
  const mayChange = open.may.edit && !open.lock;
  return [
    ...(canvas.version > 1 ? [compare] : []),
    ...(mayChange ? [{ key: "rename", label: texts.rename, onChoose: onRename }] : []),
    ...(open.may.export ? exports : []),
    ...(open.may.delete && !open.lock
      ? [
          {
            key: "delete",
            label: texts.delete,
            isDanger: true,
            onChoose: () => remove.mutate(),
          },
        ]
      : []),
  ];
}

/** Puts the canvas into the trash, from where it can be taken back. */
function useRemoval(canvasId: string, onClose: () => void) {
  const texts = useCanvasTexts();
  const keys = [["canvas", canvasId], ["canvases"], ["conversation"]];
  const restore = useChange({ run: () => restoreCanvas(canvasId), keys });
  return useChange({
    run: () => deleteCanvas(canvasId),
    keys: keys.slice(1),
    onDone() {
      onClose();
      notify(texts.deleted, restore.mutate);
    },
  });
}

function CanvasName({ canvas, onClose }: { canvas: StoredCanvas; onClose: () => void }) {
  const texts = useCanvasTexts();
  const renaming = useChange({
    run: (title: string) => renameCanvas(canvas.id, title),
    keys: [["canvas", canvas.id], ["canvases"], ["conversation"]],
    onDone: onClose,
  });
  return (
    <RenameDialog
      title={texts.renameTitle}
      action={texts.save}
      label={texts.name}
      name={canvas.title}
      renaming={renaming}
      onRename={renaming.mutate}
      onClose={onClose}
    />
  );
}
