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

/** Bytes by key in IndexedDB. Where the browser forbids it, as in some private modes, nothing. */

const STORE = "blobs";
let opening: Promise<IDBDatabase> | undefined;

async function saveBlob(key: string, blob: Blob): Promise<void> {
  await inStore("readwrite", (store) => store.put(blob, key));
}

async function loadBlob(key: string): Promise<Blob | undefined> {
  const found = await inStore("readonly", (store) => store.get(key) as IDBRequest<unknown>);
  return found instanceof Blob ? found : undefined;
}

async function deleteBlob(key: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(key));
}

async function deleteAllBlobs(): Promise<void> {
  await inStore("readwrite", (store) => store.clear());
}

async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    opening ??= open();
    const database = await opening;
    return await settled(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } catch {
    opening = undefined;
    return undefined;
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("parlance", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error("storage failed")),
    );
  });
}
