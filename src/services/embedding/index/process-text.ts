import { call, type Fetch } from "../../../platform/http/call.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import { checkText, indexDocument, type Indexed, type IndexRequest } from "./index-document.ts";
import { type JobDeps, progressOf, tellFailure } from "./take-job.ts";

const TIMEOUT_MS = 5_000;

/**
 * Makes a given text a document's index, in the place of what its file gives: what is in work of
 * that ends, and the document is PROCESSED.
 * @throws ApiError `no_text_found`, NotFound, Conflict `attempt_over` when it is stopped or begun
 * anew meanwhile; what indexing throws.
 */
export async function processText(
  deps: JobDeps,
  documents: Fetch,
  request: Omit<IndexRequest, "jobId" | "report">,
): Promise<Indexed> {
  const { documentId, text } = request;
  // before anything ends for it
  checkText(text);
  const params = { id: documentId };
  const { attempt } = await call(
    documents,
    documentsContract.takeOver,
    { params },
    { timeoutMs: TIMEOUT_MS },
  );
  const job = { jobId: attempt, documentId };
  try {
    const report = progressOf(deps.queue, job);
    const indexed = await indexDocument(deps, { ...request, jobId: attempt, report });
    if (!indexed)
      throw new Conflict(
        "attempt_over",
        "The document was stopped, deleted, or is processed anew since.",
      );
    await call(
      documents,
      documentsContract.saveIndex,
      { params, body: { attempt, ...indexed } },
      { timeoutMs: TIMEOUT_MS },
    );
    return indexed;
  } catch (error) {
    await tellFailure(deps, job, error);
    throw error;
  }
}
