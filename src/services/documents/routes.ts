import { uuidv7 } from "uuidv7";
import type { Caller, User } from "../../platform/http/caller.ts";
import { userOf } from "../../platform/http/caller.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { offsetOf } from "../../platform/http/page.ts";
import { readUpload } from "../../platform/http/read-upload.ts";
import { json } from "../../platform/http/respond.ts";
import { Routes } from "../../platform/http/routes.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { attachment } from "../../platform/http/attachment.ts";
import { PARSING_STOPS, type ParsingStop } from "../parser/contract-jobs.ts";
import type { AccessRole } from "../users/contract-sharing.ts";
import { documentNotFound } from "./access.ts";
import { documentsContract as contract, type StoredDocument } from "./contract.ts";
import { deleteDocuments } from "./delete-documents.ts";
import { personalData } from "./user-deletion.ts";
import { listChunks, previewChunks } from "./chunks.ts";
import { changeFolder, createFolder, deleteFolder, findFolder, listFolders } from "./folders.ts";
import { followDocument } from "./follow-document.ts";
import { processDocument } from "./process-document.ts";
import {
  beginAttempt,
  findAttempt,
  findProcessable,
  saveProcessed,
  saveSkipped,
  saveStopped,
  lockFailed,
} from "./processing-store.ts";
import { countByStatus, findDocuments, listDocuments, sumSizes, updateDocument } from "./store.ts";
import { type UploadDeps, uploadDocument } from "./upload-document.ts";

const MAX_RETRIED = 1_000;

export function documentRoutes(deps: UploadDeps): Routes {
  const { db, files, access } = deps;
  /** Finds a document that the caller may use with the needed role. @throws as `Access.require`. */
  const requireDocument = async (
    caller: Caller,
    id: string,
    needed: AccessRole,
  ): Promise<StoredDocument> => {
    const [document] = await findDocuments(db, [id]);
    if (document && caller.kind === "service") return document;
    return access.require(userOf(caller), "document", document, needed);
  };
  const requireFolder = async (caller: Caller, id: string, needed: AccessRole) =>
    access.require(userOf(caller), "folder", await findFolder(db, id), needed);

  return new Routes()
    .on(contract.upload, async ({ caller, request, signal }) => {
      const user = userOf(caller);
      const { stored } = await readUpload(request, (file, fields) =>
        uploadDocument(deps, user, file, fields, signal),
      );
      return json(stored, stored.deduplicated ? 200 : 201);
    })
    .on(contract.uploadFor, async ({ request, query: { userId, clientId, fileName }, signal }) => {
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
    })
    .on(contract.list, async ({ caller, query: { page, limit, folderId, ...filter } }) => {
      if (folderId !== undefined) await requireFolder(caller, folderId, "viewer");
      // a user who may see a folder may see everything in it
      const { userId } = userOf(caller);
      const visible = folderId === undefined && {
        ownerId: userId,
        shared: await access.findShared({ userId }),
      };
      const conditions = { ...filter, folderId, ...(visible && { visible }) };
      const found = await listDocuments(db, conditions, limit, offsetOf({ page, limit }));
      return { ...found, page, limit };
    })
    .on(contract.resolve, async ({ body }) =>
      access.filterVisible(body, "document", await findDocuments(db, body.ids)),
    )
    .on(contract.listFolders, async ({ caller, query: { page, limit, parentId } }) => {
      if (parentId !== undefined) await requireFolder(caller, parentId, "viewer");
      const owner = parentId === undefined ? { ownerId: userOf(caller).userId } : {};
      const offset = offsetOf({ page, limit });
      const found = await listFolders(db, { ...owner, parentId }, limit, offset);
      return { ...found, page, limit };
    })
    .on(contract.createFolder, ({ caller, body }) => createFolder(deps, userOf(caller), body))
    .on(contract.changeFolder, ({ caller, params, body }) =>
      changeFolder(deps, userOf(caller), params.id, body),
    )
    .on(contract.deleteFolder, ({ caller, params }) =>
      deleteFolder(deps, userOf(caller), params.id),
    )
    .on(contract.get, ({ caller, params }) => requireDocument(caller, params.id, "viewer"))
    .on(contract.content, async ({ caller, params }) => {
      const { fileName, mimeType } = await requireDocument(caller, params.id, "viewer");
      const stored = await findProcessable(db, params.id);
      if (!stored) throw documentNotFound();
      return attachment(await files.read(stored.storageKey), { fileName, mime: mimeType });
    })
    .on(contract.markdown, async ({ caller, params }) => {
      const { fileName } = await requireDocument(caller, params.id, "viewer");
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
    .on(contract.chunks, async ({ caller, params, query: { page, limit } }) => {
      await requireDocument(caller, params.id, "viewer");
      const found = await listChunks(db, params.id, limit, offsetOf({ page, limit }));
      return { ...found, page, limit };
    })
    .on(contract.previewChunks, async ({ caller, params, body, signal }) => {
      await requireDocument(caller, params.id, "viewer");
      return previewChunks(deps, params.id, body, signal);
    })
    .on(contract.events, async ({ caller, params, signal }) => {
      const read = () => requireDocument(caller, params.id, "viewer");
      await read();
      return eventStream(followDocument(db, params.id, read, signal));
    })
    .on(contract.reprocess, async ({ caller, params, body }) => {
      const { status } = await requireDocument(caller, params.id, "editor");
      if (status !== "PROCESSED" && status !== "FAILED")
        throw new Conflict(
          "already_in_work",
          "The document is being processed. Wait for it, or stop it first.",
        );
      await db.tx(async () => {
        const document = await findProcessable(db, params.id);
        if (document) await processDocument(deps, document, body);
      });
      return requireDocument(caller, params.id, "viewer");
    })
    .on(contract.takeOver, async ({ params: { id } }) => {
      const attempt = uuidv7();
      const [before] = await findDocuments(db, [id]);
      if (!before) throw documentNotFound();
      const former = await findAttempt(db, id);
      await beginAttempt(db, id, {
        jobId: attempt,
        status: "EMBEDDING",
        leaseMs: deps.leaseMs,
        restarts: 0,
      });
      if (former !== undefined && ["UPLOADED", "PARSING"].includes(before.status))
        await deps.queue.publish(PARSING_STOPS, { jobId: former } satisfies ParsingStop);
      return { attempt };
    })
    .on(contract.saveIndex, async ({ params: { id }, body: { attempt, ...indexing } }) => {
      if (!(await saveProcessed(db, { documentId: id, jobId: attempt, ...indexing })))
        throw new Conflict(
          "attempt_over",
          "The document was stopped, or another attempt has started since.",
        );
    })
    .on(contract.stop, async ({ caller, params }) => {
      await requireDocument(caller, params.id, "editor");
      const jobId = await findAttempt(db, params.id);
      if (!(await saveStopped(db, params.id)))
        throw new Conflict("not_in_work", "The document is not being processed.");
      if (jobId !== undefined)
        await deps.queue.publish(PARSING_STOPS, { jobId } satisfies ParsingStop);
      return requireDocument(caller, params.id, "viewer");
    })
    .on(contract.skip, async ({ caller, params }) => {
      await requireDocument(caller, params.id, "editor");
      if (!(await saveSkipped(db, params.id)))
        throw new Conflict("not_failed", "Only a document that failed can be skipped.");
      return requireDocument(caller, params.id, "viewer");
    })
    .on(contract.retryFailed, async ({ caller, body: { folderId } }) => {
      const { userId } = userOf(caller);
      if (folderId !== undefined) await requireFolder(caller, folderId, "editor");
      return db.tx(async () => {
        const failed = await lockFailed(db, userId, folderId, MAX_RETRIED);
        for (const document of failed) await processDocument(deps, document);
        return { retried: failed.length };
      });
    })
    .on(contract.summary, async ({ caller }) => {
      const { userId } = userOf(caller);
      return {
        counts: await countByStatus(db, userId),
        bytes: await sumSizes(db, userId),
        quotaBytes: deps.quotaBytes,
      };
    })
    .on(contract.change, async ({ caller, params, body }) => {
      const before = await requireDocument(caller, params.id, "editor");
      // moving a document changes who may see it, which only its owner may do
      if (body.folderId !== undefined && body.folderId !== before.folderId)
        await requireDocument(caller, params.id, "owner");
      if (body.folderId) await requireFolder(caller, body.folderId, "editor");
      await updateDocument(db, params.id, body);
      const document = await requireDocument(caller, params.id, "viewer");
      if (document.folderId !== before.folderId)
        await access.register("document", document.id, document.ownerId, document.folderId);
      return document;
    })
    .on(contract.remove, async ({ caller, params }) => {
      await requireDocument(caller, params.id, "owner");
      for (const id of await deleteDocuments(deps, { id: params.id }))
        await access.forget("document", id);
    })
    .on(contract.personalData, ({ params, query }) => personalData(db, params.userId, query.after));
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
