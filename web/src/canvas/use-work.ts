import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useChange } from "../shell/use-change.ts";
import { notify } from "../ui/notices.tsx";
import { canvasQuery, saveVersion, type StoredCanvas } from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "../shell/drafts.ts";

/** Typing that pauses for so long is stored. */
const STORE_AFTER_MS = 200;

interface Work {
  /** The version that the text was made from. */
  baseVersion: number;
  /** What the editor begins with. */
  text: string;
  isDirty: boolean;
  /** Another one is another editor. */
  editorKey: number;
}

/**
 * The text that is being edited. It is stored as a draft while it is typed, saved as a version made
 * from `baseVersion`, and replaced by a newer version only where nothing would be lost.
 */
export function useWork(canvas: StoredCanvas, lockToken: number | undefined) {
  const queries = useQueryClient();
  const texts = useCanvasTexts();
  const [work, setWork] = useState(() => begin(canvas));
  const draft = useStoredDraft(canvas.id, work.baseVersion);
  const replace = ({ version, content }: StoredCanvas) =>
    setWork(({ editorKey }) => ({
      baseVersion: version,
      text: content,
      isDirty: false,
      editorKey: editorKey + 1,
    }));
  useEffect(() => {
    if (!work.isDirty && canvas.version > work.baseVersion) replace(canvas);
  }, [work, canvas]);
  const saving = useChange({
    async run(baseVersion: number) {
      const content = draft.read() ?? work.text;
      const saved = await saveVersion(canvas.id, { baseVersion, content, lockToken });
      return { saved, isDirty: (draft.read() ?? content) !== content };
    },
    keys: [["canvas", canvas.id], ["canvases"]],
    onDone({ saved, isDirty }) {
      queries.setQueryData(canvasQuery(canvas.id).queryKey, saved);
      setWork((before) => ({ ...before, baseVersion: saved.version, isDirty }));
      if (!isDirty) draft.forget();
      notify(texts.saved(saved.version));
    },
  });
  return {
    ...work,
    saving,
    /** Saves over the given version. */
    save: (baseVersion: number) => {
      if (!saving.isPending) saving.mutate(baseVersion);
    },
    change(read: () => string) {
      draft.change(read);
      if (!work.isDirty) setWork((before) => ({ ...before, isDirty: true }));
    },
    /** Replaces the user's text by the newest version. */
    discard() {
      draft.forget();
      saving.reset();
      replace(canvas);
    },
  };
}

function begin({ id, version, content }: StoredCanvas): Work {
  const draft = loadCanvasDraft(id);
  return {
    baseVersion: draft?.baseVersion ?? version,
    text: draft?.content ?? content,
    isDirty: draft !== undefined,
    editorKey: 0,
  };
}

/** Keeps the draft of a canvas: a moment after typing pauses, and when the page is left. */
function useStoredDraft(canvasId: string, baseVersion: number) {
  const current = useRef<(() => string) | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const base = useRef(baseVersion);
  useEffect(() => {
    base.current = baseVersion;
  }, [baseVersion]);
  const store = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const content = current.current?.();
    if (content !== undefined)
      saveCanvasDraft(canvasId, { baseVersion: base.current, content });
  };
  const latest = useRef(store);
  useEffect(() => {
    latest.current = store;
  });
  useEffect(() => {
    const flush = () => latest.current();
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, []);
  return {
    read: () => current.current?.(),
    change(read: () => string) {
      current.current = read;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(), STORE_AFTER_MS);
    },
    forget() {
      clearTimeout(timer.current);
      timer.current = undefined;
      current.current = undefined;
      forgetCanvasDraft(canvasId);
    },
  };
}

/** A text that is not saved yet, and the version that it was made from. */
interface CanvasDraft {
  baseVersion: number;
  content: string;
}

const keyOf = (canvasId: string) => `canvas.${canvasId}`;

export function loadCanvasDraft(canvasId: string): CanvasDraft | undefined {
  const { text } = loadDraft(keyOf(canvasId));
  const end = text.indexOf("\n");
  return end < 0
    ? undefined
    : { baseVersion: Number(text.slice(0, end)), content: text.slice(end + 1) };
}

/** The first line is the version. */
function saveCanvasDraft(canvasId: string, { baseVersion, content }: CanvasDraft): void {
  saveDraft(keyOf(canvasId), { text: `${baseVersion}\n${content}`, files: [] });
}

export function forgetCanvasDraft(canvasId: string): void {
  saveDraft(keyOf(canvasId), EMPTY_DRAFT);
}
