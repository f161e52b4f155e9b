import { useEffect, useRef, useState } from "react";

/** Where files would be dropped. */
interface Drop {
  /** The `data-drop-place` of what they are above; undefined anywhere else. */
  place: string | undefined;
}

/**
 * Takes files that are dropped anywhere on the page.
 * @returns where, while files are being dragged over it.
 */
export function useDropTarget(
  onFiles: (files: File[], place: string | undefined) => void,
): Drop | undefined {
  const [over, setOver] = useState<Drop>();
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      const place = placeOf(event);
      setOver((before) => (before && before.place === place ? before : { place }));
    };
    const onDragLeave = (event: DragEvent) =>
      event.relatedTarget === null && setOver(undefined);
    const onDrop = (event: DragEvent) => {
      setOver(undefined);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files, placeOf(event));
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  return over;
}

function placeOf({ target }: DragEvent): string | undefined {
  const place = target instanceof Element && target.closest("[data-drop-place]");
  return place instanceof HTMLElement ? place.dataset["dropPlace"] : undefined;
}
