import { call, type Fetch } from "../../../platform/http/call.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import { checkText, indexDocument, type Indexed } from "./index-document.ts";
import type { IndexRequest } from "./index-request.ts";
import { createProgressReporter, publishFailure } from "./publish-results.ts";
import type { JobDeps } from "./take-job.ts";

const TIMEOUT_MS = 5_000;

/**
 * Indexes a given text as a document's content, in place of the text of its file. Ends an attempt
 * in progress; afterwards the document is PROCESSED.
 * @throws ApiError `no_text_found`, NotFound, Conflict `attempt_over` when the document is stopped
 * or processed again in the meantime, and whatever `indexDocument` throws.
 */
export async function processText(
  deps: JobDeps,
  documents: Fetch,
  request: Omit<IndexRequest, "jobId" | "report"> & Partial<Pick<IndexRequest, "report">>,
): Promise<Indexed> {
  const { documentId, text } = request;
  // checked before the current attempt ends
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
    const reportAttempt = createProgressReporter(deps.queue, job);
    const report = async (progress: number) => {
      await reportAttempt(progress);
      await request.report?.(progress);
    };
    const indexed = await indexDocument(deps, { ...request, jobId: attempt, report });
    if (!indexed)
      throw new Conflict(
        "attempt_over",
        "The document was stopped or deleted, or another attempt has started since. " +
          "Read its status.",
      );
    await call(
      documents,
      documentsContract.saveIndex,
      { params, body: { attempt, ...indexed } },
      { timeoutMs: TIMEOUT_MS },
    );
    return indexed;
  } catch (error) {
    await publishFailure(deps, job, error);
    throw error;
  }
}
