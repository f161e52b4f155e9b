/** Bytes by key in IndexedDB. Where the browser forbids it, as in some private modes, nothing. */

const STORE = "blobs";
let opening: Promise<IDBDatabase> | undefined;

export async function saveBlob(key: string, blob: Blob): Promise<void> {
  await inStore("readwrite", (store) => store.put(blob, key));
}

export async function loadBlob(key: string): Promise<Blob | undefined> {
  const found = await inStore("readonly", (store) => store.get(key) as IDBRequest<unknown>);
  return found instanceof Blob ? found : undefined;
}

export async function deleteBlob(key: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(key));
}

export async function deleteAllBlobs(): Promise<void> {
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
