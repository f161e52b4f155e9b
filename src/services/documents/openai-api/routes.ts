import type { ByteRange } from "../../../platform/files/byte-range.ts";
import { type Caller, userOf } from "../../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { readUpload } from "../../../platform/http/read-upload.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { sendFile } from "../../../platform/http/send-file.ts";
import { isUuid } from "../../../platform/uuid.ts";
import { documentNotFound, folderNotFound } from "../contract-not-found.ts";
import type { AccessRole } from "../../users/contract-sharing.ts";
import { deleteDocuments } from "../delete-documents.ts";
import { requireDocument, requireFolder } from "../find-permitted.ts";
import { createFolder } from "../folders.ts";
import { findProcessable } from "../processing-store.ts";
import { stopProcessing } from "../process-document.ts";
import { findDocuments } from "../store.ts";
import { type UploadDeps, uploadDocument } from "../upload-document.ts";
import { attachFiles, detachFile } from "./attach-files.ts";
import { openAiFilesContract as filesContract } from "./contract-files.ts";
import { fileId, storeId } from "./contract-ids.ts";
import { vectorStoresContract as contract } from "./contract-vector-stores.ts";
import { findBatch, insertBatch, readBatch } from "./file-batches.ts";
import { listFiles, readFile, readPurpose } from "./files.ts";
import { listStoreFiles, saveStoreFiles, type Viewer } from "./store-files.ts";
import { changeStore, deleteStore, listStores, readStore } from "./stores.ts";

const UNNAMED = "Vector store";

/** OpenAI's API of files over documents. */
export function fileRoutes(routes: Routes, deps: UploadDeps): void {
  const { db, files, access } = deps;
  routes
    .on(filesContract.uploadFile, async ({ caller, request, signal }) => {
      const user = userOf(caller);
      const { stored } = await readUpload(
        request,
        (file, fields) =>
          uploadDocument(deps, user, file, {}, signal, () => readPurpose(fields)),
        { anyOrder: true },
      );
      return readFile(db, stored.id);
    })
    .on(filesContract.listFiles, ({ caller, query }) =>
      listFiles(db, userOf(caller).userId, query),
    )
    .on(filesContract.readFile, async ({ caller, params }) => {
      await requireFile(deps, caller, params.file_id, "viewer");
      return readFile(db, params.file_id);
    })
    .on(filesContract.readFileContent, async ({ caller, params, request }) => {
      const document = await requireFile(deps, caller, params.file_id, "viewer");
      const stored = await findProcessable(db, document.id);
      if (!stored) throw documentNotFound();
      const { fileName, mimeType: mime, size, sha256 } = document;
      const read = (range?: ByteRange) => files.read(stored.storageKey, range);
      const etag = `"${sha256}"`;
      return sendFile(request, { fileName, mime, size, etag, inline: false, read });
    })
    .on(filesContract.deleteFile, async ({ caller, params }) => {
      const { id } = await requireFile(deps, caller, params.file_id, "owner");
      for (const one of await deleteDocuments(deps, { id }))
        await access.forget("document", one);
      return { id: fileId(id), object: "file" as const, deleted: true as const };
    });
}

async function requireFile(
  deps: UploadDeps,
  caller: Caller,
  id: string,
  needed: AccessRole,
) {
  if (!isUuid(id)) throw documentNotFound();
  return requireDocument(deps, caller, id, needed);
}

async function requireStore(
  deps: UploadDeps,
  caller: Caller,
  id: string,
  needed: AccessRole,
) {
  if (!isUuid(id)) throw folderNotFound();
  return requireFolder(deps, caller, id, needed);
}

async function viewerOf({ access }: UploadDeps, caller: Caller): Promise<Viewer> {
  const { userId: ownerId } = userOf(caller);
  return { ownerId, shared: await access.findShared({ userId: ownerId }) };
}

const CLEAN_UP_MS = 60_000;

/** OpenAI's API of vector stores over folders. */
export function vectorStoreRoutes(routes: Routes, deps: UploadDeps): void {
  const { db } = deps;
  routes
    .on(contract.createStore, async ({ caller, body }) => {
      const user = userOf(caller);
      const { name, description, metadata, file_ids: ids } = body;
      const wanted = { name: name || UNNAMED, parentId: null, settings: {} };
      const { id } = await createFolder(deps, user, wanted);
      const store = { metadata: metadata ?? {}, description: description ?? undefined };
      await changeStore(db, id, store);
      const attached = (ids ?? []).map((file) => ({ id: file, attributes: {} }));
      try {
        await attachFiles(deps, user, id, attached);
      } catch (error) {
        // also for a caller who has left
        await deleteStore(deps, user, id, AbortSignal.timeout(CLEAN_UP_MS));
        throw error;
      }
      return readStore(db, await viewerOf(deps, caller), id);
    })
    .on(contract.listStores, async ({ caller, query }) =>
      listStores(db, await viewerOf(deps, caller), query),
    )
    .on(contract.readStore, async ({ caller, params }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "viewer");
      return readStore(db, await viewerOf(deps, caller), id);
    })
    .on(contract.changeStore, async ({ caller, params, body }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "owner");
      const metadata = body.metadata === null ? {} : body.metadata;
      await changeStore(db, id, { name: body.name || undefined, metadata });
      return readStore(db, await viewerOf(deps, caller), id);
    })
    .on(contract.deleteStore, async ({ caller, params, signal }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "owner");
      await deleteStore(deps, userOf(caller), id, signal);
      const object = "vector_store.deleted" as const;
      return { id: storeId(id), object, deleted: true as const };
    });
  storeFileRoutes(routes, deps);
  batchRoutes(routes, deps);
}

function storeFileRoutes(routes: Routes, deps: UploadDeps): void {
  const { db } = deps;
  routes
    .on(contract.attachFile, async ({ caller, params, body }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "editor");
      const file = { id: body.file_id, attributes: body.attributes ?? {} };
      await attachFiles(deps, userOf(caller), id, [file]);
      return requireStoreFile(deps, caller, id, file.id);
    })
    .on(contract.listStoreFiles, async ({ caller, params, query }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "viewer");
      const viewer = await viewerOf(deps, caller);
      return listStoreFiles(db, { folderId: id, viewer }, query);
    })
    .on(contract.readStoreFile, async ({ caller, params }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "viewer");
      return requireStoreFile(deps, caller, id, params.file_id);
    })
    .on(contract.changeStoreFile, async ({ caller, params, body }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "editor");
      await requireStoreFile(deps, caller, id, params.file_id);
      const attributes = body.attributes ?? {};
      await saveStoreFiles(db, id, [{ id: params.file_id, attributes }]);
      return requireStoreFile(deps, caller, id, params.file_id);
    })
    .on(contract.detachFile, async ({ caller, params }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "editor");
      const file = await requireStoreFile(deps, caller, id, params.file_id);
      await detachFile(deps, userOf(caller), id, params.file_id);
      const object = "vector_store.file.deleted" as const;
      return { id: file.id, object, deleted: true as const };
    });
}

/** @throws NotFound `document_not_found` for a document that is no file of the store. */
async function requireStoreFile(
  deps: UploadDeps,
  caller: Caller,
  folderId: string,
  id: string,
) {
  if (!isUuid(id)) throw documentNotFound();
  const files = { folderId, viewer: await viewerOf(deps, caller), ids: [id] };
  const { data } = await listStoreFiles(deps.db, files, { limit: 1, order: "asc" });
  const [file] = data;
  if (!file) throw documentNotFound();
  return file;
}

function batchRoutes(routes: Routes, deps: UploadDeps): void {
  const { db } = deps;
  routes
    .on(contract.createBatch, async ({ caller, params, body }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "editor");
      const attributes = body.attributes ?? {};
      const files = body.files
        ? body.files.map((file) => ({
            id: file.file_id,
            attributes: file.attributes ?? {},
          }))
        : (body.file_ids ?? []).map((file) => ({ id: file, attributes }));
      await attachFiles(deps, userOf(caller), id, files);
      const ids = new Set(files.map((file) => file.id));
      return readBatch(db, id, await insertBatch(db, id, [...ids]));
    })
    .on(contract.readBatch, async ({ caller, params }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "viewer");
      return readBatch(db, id, params.batch_id);
    })
    .on(contract.cancelBatch, async ({ caller, params, signal }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "editor");
      const { documentIds } = await findBatch(db, id, params.batch_id);
      for (const document of await findDocuments(db, documentIds)) {
        signal.throwIfAborted();
        if (document.status === "PROCESSED" || document.status === "FAILED") continue;
        if (await mayChange(deps, caller, document.id))
          await stopProcessing(deps, document.id);
      }
      return readBatch(db, id, params.batch_id);
    })
    .on(contract.listBatchFiles, async ({ caller, params, query }) => {
      const { id } = await requireStore(deps, caller, params.vector_store_id, "viewer");
      const { documentIds: ids } = await findBatch(db, id, params.batch_id);
      const viewer = await viewerOf(deps, caller);
      return listStoreFiles(db, { folderId: id, viewer, ids }, query);
    });
}

/** Of a batch, others go on processing what the caller may not change. */
async function mayChange(deps: UploadDeps, caller: Caller, id: string): Promise<boolean> {
  try {
    await requireDocument(deps, caller, id, "editor");
    return true;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false;
    throw error;
  }
}
