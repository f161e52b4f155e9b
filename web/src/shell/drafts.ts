import { deleteAllBlobs, deleteBlob, loadBlob, saveBlob } from "./blobs.ts";

/** A file that goes with an unsent message. */
export interface DraftFile {
  /** Of the draft: the key of its bytes until they are uploaded. */
  key: string;
  name: string;
  size: number;
  type: string;
  /** Of the document, once it is uploaded. */
  documentId?: string;
}

/** An unsent message. */
export interface Draft {
  text: string;
  files: DraftFile[];
}

const PREFIX = "parlance.draft.";
const MAX_DRAFTS = 200;
export const EMPTY_DRAFT: Draft = { text: "", files: [] };

/**
 * What is typed is stored with every change: the text in `localStorage`, which survives a crash,
 * the bytes of files that are not yet uploaded in IndexedDB.
 */
export function loadDraft(id: string): Draft {
  const stored = localStorage.getItem(PREFIX + id);
  if (stored === null) return EMPTY_DRAFT;
  return { ...EMPTY_DRAFT, ...(JSON.parse(stored) as Partial<Draft>) }; // written below
}

export function saveDraft(id: string, draft: Draft): void {
  if (draft.text === "" && draft.files.length === 0) {
    localStorage.removeItem(PREFIX + id);
    return;
  }
  try {
    localStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // the browser's storage is full: make room once
    for (const key of draftKeys().slice(0, -MAX_DRAFTS / 2)) localStorage.removeItem(key);
  }
}

export function saveDraftFile(key: string, file: File): Promise<void> {
  return saveBlob(key, file);
}

export async function loadDraftFile({
  key,
  name,
  type,
}: DraftFile): Promise<File | undefined> {
  const blob = await loadBlob(key);
  return blob && new File([blob], name, { type });
}

export function deleteDraftFile(key: string): Promise<void> {
  return deleteBlob(key);
}

export async function deleteDrafts(): Promise<void> {
  for (const key of draftKeys()) localStorage.removeItem(key);
  await deleteAllBlobs();
}

function draftKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}
