import { Link } from "@tanstack/react-router";
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
import { SEGMENTS_LOOK, segmentLook } from "../ui/segments.ts";
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

/** By the scrolling of the text; where the browser knows no such, it always shows. */
const SHOWN_AGAIN =
  "supports-[animation-timeline:--canvas]:opacity-0 [animation:show_linear_both] " +
  "[animation-range:32px_72px] [animation-timeline:--canvas]";

/** The title of a canvas, its version, and what can be done with it. */
export function Header({ canvas, open, search, isBelow, onClose }: HeaderProps) {
  const texts = useCanvasTexts();
  const [isRenaming, setRenaming] = useState(false);
  const items = useMenuItems({ canvas, open, search, onClose }, () => setRenaming(true));
  return (
    <header className="@container shrink-0">
      {/* the way out stays beside the title: where there is little room the views have a line */}
      <div className="flex min-h-13 flex-wrap items-center gap-x-1 gap-y-1.5 py-1.5 pr-2 pl-4 md:pl-6">
        <h2
          className={join(
            "min-w-0 flex-1 basis-0 truncate text-base",
            isBelow && SHOWN_AGAIN,
          )}
          title={canvas.title}
        >
          <bdi>{canvas.title}</bdi>
        </h2>
        <Link
          to="."
          search={{ view: "versions" }}
          aria-label={texts.versionsOf(canvas.version)}
          title={texts.versions}
          className={
            "inline-flex min-h-8 shrink-0 items-center rounded-md px-2.5 text-sm text-muted " +
            "tabular-nums hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
          }
        >
          v{canvas.version}
        </Link>
        <Views canvas={canvas} open={open} search={search} />
        <ActionsMenu label={texts.actions} items={items} />
        <IconButton icon={X} label={texts.close} onClick={onClose} />
      </div>
      {isRenaming && <CanvasName canvas={canvas} onClose={() => setRenaming(false)} />}
    </header>
  );
}

/** The text as it reads, its editor, and what changed; nothing where it can only be read. */
function Views({ canvas, open, search }: Pick<HeaderProps, "canvas" | "open" | "search">) {
  const texts = useCanvasTexts();
  const { view = "read", version } = search;
  const isNewest = version === undefined || version === canvas.version;
  const isFree = !open.lock && isNewest;
  const mayEdit = open.may.edit && (isFree || view === "edit");
  const hasChanges = canvas.version > 1;
  if (view === "read" && !mayEdit && !hasChanges) return null;
  const link = (name: "read" | "edit" | "diff", label: string, to: CanvasSearch) => (
    <Link
      to="."
      search={to}
      // else an address with more than this is open, too
      activeOptions={{ exact: true }}
      aria-current={name === view ? "page" : undefined}
      className={segmentLook(name === view, "flex-auto")}
    >
      {label}
    </Link>
  );
  return (
    <nav
      aria-label={texts.views}
      className={`text-sm @max-[36rem]:order-last @max-[36rem]:mb-1.5 @max-[36rem]:mr-2 @max-[36rem]:basis-full md:@max-[36rem]:mr-4 ${SEGMENTS_LOOK}`}
    >
      {link("read", texts.read, view === "diff" && !isNewest ? { version } : {})}
      {mayEdit && link("edit", texts.edit, { view: "edit" })}
      {hasChanges && link("diff", texts.changes, { view: "diff", version })}
    </nav>
  );
}

function useMenuItems(
  { canvas, open, search, onClose }: Omit<HeaderProps, "isBelow">,
  onRename: () => void,
): MenuItem[] {
  const texts = useCanvasTexts();
  const remove = useRemoval(canvas.id, onClose);
  const { version } = search;
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
