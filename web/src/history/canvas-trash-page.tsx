import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { notify } from "../ui/notices.tsx";
import { canvasTrashQuery, restoreCanvas } from "./shared-queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { Trash, TrashRow } from "./trash.tsx";

/** Deleted canvases, which can be restored until they are deleted permanently. */
export function CanvasTrashPage() {
  const texts = useHistoryTexts();
  const list = useList(canvasTrashQuery);
  const restore = useChange({
    run: restoreCanvas,
    keys: [["canvases"], ["canvas"], ["conversation"]],
    onDone: () => notify(texts.canvasRestored),
  });
  return (
    <Trash hint={texts.canvasTrashHint} list={list} error={restore.error}>
      {list.data?.items.map(({ id, title, deletedAt }) => (
        <TrashRow
          key={id}
          name={title}
          deletedAt={deletedAt}
          busy={restore.isPending && restore.variables === id}
          onRestore={() => restore.mutate(id)}
        />
      ))}
    </Trash>
  );
}
