import { uuidv7 } from "uuidv7";
import { userOf } from "../../platform/http/caller.ts";
import { Conflict } from "../../platform/http/errors.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { PARSING_STOPS, type ParsingStop } from "../parser/contract-jobs.ts";
import { documentNotFound } from "./contract-not-found.ts";
import { documentsContract as contract } from "./contract.ts";
import { requireDocument, requireFolder } from "./find-permitted.ts";
import { processDocument, stopProcessing } from "./process-document.ts";
import {
  beginAttempt,
  findAttempt,
  findProcessable,
  saveProcessed,
  saveSkipped,
} from "./processing-store.ts";
import { retryFailed } from "./retry-failed.ts";
import { findDocuments } from "./store.ts";
import type { UploadDeps } from "./upload-document.ts";

/** Starting, stopping and repeating the processing of documents. */
export function processingRoutes(routes: Routes, deps: UploadDeps): Routes {
  const { db } = deps;
  addChoicesOfUsers(routes, deps);
  return routes
    .on(contract.reprocess, async ({ caller, params, body: { password, ...from } }) => {
      const { status } = await requireDocument(deps, caller, params.id, "editor");
      if (status !== "PROCESSED" && status !== "FAILED")
        throw new Conflict(
          "already_in_work",
          "The document is being processed. Wait for it, or stop it first.",
        );
      if (password !== undefined)
        await deps.passwords.keep(params.id, password, userOf(caller).userId);
      await db.tx(async () => {
        const document = await findProcessable(db, params.id);
        if (document) await processDocument(deps, document, from);
      });
      return requireDocument(deps, caller, params.id, "viewer");
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
          "The document was stopped, or another attempt has started since. Read its " +
            "status.",
        );
    });
}

/** Stopping, skipping and retrying. */
function addChoicesOfUsers(routes: Routes, deps: UploadDeps): void {
  const { db } = deps;
  routes
    .on(contract.stop, async ({ caller, params }) => {
      await requireDocument(deps, caller, params.id, "editor");
      if (!(await stopProcessing(deps, params.id)))
        throw new Conflict(
          "not_in_work",
          "The document is not being processed. Read its status.",
        );
      return requireDocument(deps, caller, params.id, "viewer");
    })
    .on(contract.skip, async ({ caller, params }) => {
      await requireDocument(deps, caller, params.id, "editor");
      if (!(await saveSkipped(db, params.id)))
        throw new Conflict(
          "not_failed",
          "Only a document that failed can be skipped. Read its status.",
        );
      return requireDocument(deps, caller, params.id, "viewer");
    })
    .on(contract.retryFailed, async ({ caller, body: { folderId }, signal }) => {
      const { userId: ownerId } = userOf(caller);
      if (folderId !== undefined) await requireFolder(deps, caller, folderId, "editor");
      return { retried: await retryFailed(deps, { ownerId, folderId }, signal) };
    });
}
