import { EMPTY_DRAFT, loadDraft, saveDraft } from "../shell/drafts.ts";

/** A text that is not saved yet, and the version that it was made from. */
export interface CanvasDraft {
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
export function saveCanvasDraft(
  canvasId: string,
  { baseVersion, content }: CanvasDraft,
): void {
  saveDraft(keyOf(canvasId), { text: `${baseVersion}\n${content}`, files: [] });
}

export function forgetCanvasDraft(canvasId: string): void {
  saveDraft(keyOf(canvasId), EMPTY_DRAFT);
}
