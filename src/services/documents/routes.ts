import { type User, userOf } from "../../platform/http/caller.ts";
import { readPage, offsetOf } from "../../platform/http/page.ts";
import { readUpload } from "../../platform/http/read-upload.ts";
import { json } from "../../platform/http/respond.ts";
import { Routes } from "../../platform/http/routes.ts";
import { changeDocument, readUnread } from "./change-document.ts";
import { documentsContract as contract, MAX_ATTACHMENTS } from "./contract.ts";
import { UNSENT_ATTACHMENT_DAYS } from "./contract-stored.ts";
import { deleteDocuments } from "./delete-documents.ts";
import {
  findTables,
  readTitles,
  requireDocument,
  requireFolder,
} from "./find-permitted.ts";
import { findLines, listTexts, readLines } from "./read-texts.ts";
import { drawOriginalPage, readOriginalPage } from "./original-pages.ts";
import { processingRoutes } from "./routes-processing.ts";
import {
  countByStatus,
  findDocuments,
  listAttachments,
  listDocuments,
  measureUse,
} from "./store.ts";
import { type UploadDeps, uploadDocument } from "./upload-document.ts";
import { personalData } from "./user-deletion.ts";
import type { ByteRange } from "../../platform/files/byte-range.ts";
import { attachment } from "../../platform/http/attachment.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { documentNotFound } from "./contract-not-found.ts";
import { listChunks, previewChunks } from "./chunks.ts";
import { followDocument } from "./follow-document.ts";
import { findProcessable } from "./processing-store.ts";
import {
  changeFolder,
  createFolder,
  deleteFolder,
  findFolders,
  listFolders,
} from "./folders.ts";
import { fileRoutes, vectorStoreRoutes } from "./openai-api/routes.ts";

export function documentRoutes(deps: UploadDeps): Routes {
  const routes = new Routes();
  uploadRoutes(routes, deps);
  listRoutes(routes, deps);
  contentRoutes(routes, deps);
  processingRoutes(routes, deps);
  folderRoutes(routes, deps);
  fileRoutes(routes, deps);
  vectorStoreRoutes(routes, deps);
  return routes.on(contract.personalData, ({ params, query }) =>
    personalData(deps.db, params.userId, query.after),
  );
}

function uploadRoutes(routes: Routes, deps: UploadDeps): Routes {
  return routes
    .on(contract.upload, async ({ caller, request, signal }) => {
      const user = userOf(caller);
      const { stored } = await readUpload(request, (file, fields) =>
        uploadDocument(deps, user, file, fields, signal),
      );
      return json(stored, stored.deduplicated ? 200 : 201);
    })
    .on(
      contract.uploadFor,
      async ({ request, query: { userId, clientId, fileName }, signal }) => {
        const user: User = {
          kind: "user",
          userId,
          clientId,
          email: "",
          name: "",
          roles: [],
          via: "jwt",
        };
        const stored = await uploadDocument(
          deps,
          user,
          {
            name: fileName,
            type: request.headers.get("content-type") ?? "",
            body: request.body ?? emptyBody(),
          },
          {},
          signal,
        );
        return json(stored, stored.deduplicated ? 200 : 201);
      },
    );
}

function listRoutes(routes: Routes, deps: UploadDeps): Routes {
  const { db, access } = deps;
  return routes
    .on(contract.list, async ({ caller, query }) => {
      const { page, limit, sort, order, folderId, scope, ...filter } = query;
      if (folderId !== undefined) await requireFolder(deps, caller, folderId, "viewer");
      // a user who may see a folder may see everything in it
      const { userId } = userOf(caller);
      const isOwn = scope === "own";
      const visible = (isOwn || folderId === undefined) && {
        ownerId: userId,
        shared: isOwn ? [] : await access.findShared({ userId }),
      };
      const source =
        scope === "attachments" ? { attachmentsOf: userId } : visible && { visible };
      const conditions = { ...filter, folderId, ...source };
      return readPage({ page, limit }, (...range) =>
        listDocuments(db, conditions, { sort, order }, ...range),
      );
    })
    .on(contract.listUnsent, async ({ query: { after } }) => ({
      ids: await listAttachments(db, {
        after,
        days: UNSENT_ATTACHMENT_DAYS,
        limit: MAX_ATTACHMENTS,
      }),
    }))
    .on(contract.deleteAttachments, async ({ body }) => {
      for (const id of body.ids)
        for (const deleted of await deleteDocuments(deps, { id, isAttachment: true }))
          await access.forget("document", deleted);
    })
    .on(contract.titles, ({ caller, query }) => readTitles(deps, userOf(caller), query.ids))
    .on(contract.resolve, async ({ body }) =>
      access.filterVisible(body, "document", await findDocuments(db, body.ids)),
    )
    .on(contract.findTables, ({ body }) => findTables(deps, body))
    .on(contract.listTexts, ({ body }) => listTexts(deps, body))
    .on(contract.readLines, ({ body, signal }) => readLines(deps, body, signal))
    .on(contract.findLines, ({ body, signal }) => findLines(deps, body, signal))
    .on(contract.get, ({ caller, params }) =>
      requireDocument(deps, caller, params.id, "viewer"),
    )
    .on(contract.summary, async ({ caller }) => {
      const { userId } = userOf(caller);
      return {
        counts: await countByStatus(db, userId),
        bytes: (await measureUse(db, userId)).bytes,
        quotaBytes: deps.quotaBytes,
      };
    })
    .on(contract.change, async ({ caller, params, body }) =>
      readUnread(deps, await changeDocument(deps, userOf(caller), params.id, body)),
    )
    .on(contract.remove, async ({ caller, params }) => {
      await requireDocument(deps, caller, params.id, "owner");
      for (const id of await deleteDocuments(deps, { id: params.id }))
        await access.forget("document", id);
    });
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** The bytes, text, chunks and events of a document. */
function contentRoutes(routes: Routes, deps: UploadDeps): Routes {
  const { db, files } = deps;
  return routes
    .on(contract.content, async ({ caller, params, query, request }) => {
      const document = await requireDocument(deps, caller, params.id, "viewer");
      const stored = await findProcessable(db, params.id);
      if (!stored) throw documentNotFound();
      const { fileName, mimeType: mime, size, sha256 } = document;
      const read = (range?: ByteRange) => files.read(stored.storageKey, range);
      const { inline = false } = query;
      return sendFile(request, { fileName, mime, size, etag: `"${sha256}"`, inline, read });
    })
    .on(contract.markdown, async ({ caller, params }) => {
      const { fileName } = await requireDocument(deps, caller, params.id, "viewer");
      const key = (await findProcessable(db, params.id))?.markdownKey;
      if (!key)
        throw new Conflict(
          "not_parsed_yet",
          "The document has not been parsed yet. Check its status and try again.",
        );
      return attachment(await files.read(key), {
        fileName: `${fileName}.md`,
        mime: "text/markdown; charset=utf-8",
      });
    })
    .on(contract.originalPage, ({ caller, params, signal }) =>
      readOriginalPage(deps, userOf(caller), params, signal),
    )
    .on(contract.pagePicture, ({ caller, params, request, signal }) =>
      drawOriginalPage(deps, userOf(caller), params, request, signal),
    )
    .on(contract.chunks, async ({ caller, params, query: { page, limit } }) => {
      await requireDocument(deps, caller, params.id, "viewer");
      const found = await listChunks(db, params.id, limit, offsetOf({ page, limit }));
      return { ...found, page, limit };
    })
    .on(contract.previewChunks, async ({ caller, params, body, signal }) => {
      await requireDocument(deps, caller, params.id, "viewer");
      return previewChunks(deps, params.id, body, signal);
    })
    .on(contract.events, async ({ caller, params, signal }) => {
      const read = () => requireDocument(deps, caller, params.id, "viewer");
      await read();
      return eventStream(followDocument(db, params.id, read, signal));
    });
}

/** Folders of documents. */
function folderRoutes(routes: Routes, deps: UploadDeps): Routes {
  return routes
    .on(contract.listFolders, async ({ caller, query: { page, limit, ...filter } }) => {
      const { parentId } = filter;
      if (parentId !== undefined) await requireFolder(deps, caller, parentId, "viewer");
      const owner = parentId === undefined ? { ownerId: userOf(caller).userId } : {};
      const offset = offsetOf({ page, limit });
      const found = await listFolders(deps.db, { ...owner, ...filter }, limit, offset);
      return { ...found, page, limit };
    })
    .on(contract.createFolder, ({ caller, body }) =>
      createFolder(deps, userOf(caller), body),
    )
    .on(contract.resolveFolders, async ({ body }) =>
      deps.access.filterVisible(body, "folder", await findFolders(deps.db, body.ids)),
    )
    .on(contract.getFolder, ({ caller, params }) =>
      requireFolder(deps, caller, params.id, "viewer"),
    )
    .on(contract.changeFolder, ({ caller, params, body }) =>
      changeFolder(deps, userOf(caller), params.id, body),
    )
    .on(contract.deleteFolder, ({ caller, params }) =>
      deleteFolder(deps, userOf(caller), params.id),
    );
}
