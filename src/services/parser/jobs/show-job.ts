import type { Files } from "../../../platform/files/files.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { escapedPiece } from "../../../platform/json/json-pieces.ts";
import type { Job } from "../contract.ts";
import type { StoredJob } from "./job-store.ts";
import { extrasKey } from "./run-job.ts";

/** A job as the API shows it, as JSON. Its result is written as it is read from the storage. */
export async function showJob(
  files: Files,
  job: StoredJob,
): Promise<AsyncIterable<string>> {
  const { id, markdownKey, ownFiles, options } = job;
  const isThere = (key: string) =>
    files.readStart(key, 1).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFound) return false;
        throw error;
      },
    );
  // the markdown of a document job belongs to the documents service, which may have deleted it
  const hasResult =
    markdownKey !== null && job.metadata !== null && (await isThere(markdownKey));
  if (!hasResult) return jobPieces(files, job);
  const hasExtras =
    ownFiles &&
    (options.extractTables || options.extractImages) &&
    (await isThere(extrasKey(id)));
  return jobPieces(files, job, {
    markdownKey,
    extrasKey: hasExtras ? extrasKey(id) : undefined,
  });
}

interface Result {
  markdownKey: string;
  extrasKey: string | undefined;
}

async function* jobPieces(
  files: Files,
  job: StoredJob,
  result?: Result,
): AsyncGenerator<string> {
  const shown = JSON.stringify(withoutResult(job));
  if (!result) return yield shown;
  yield `${shown.slice(0, -1)},"result":{"metadata":${JSON.stringify(job.metadata)},"markdown":"`;
  for await (const text of textOf(files, result.markdownKey)) yield escapedPiece(text);
  yield '"';
  if (result.extrasKey === undefined) yield "}";
  else {
    // of this object the first brace becomes a comma, and the last one ends the result
    let isFirst = true;
    for await (const text of textOf(files, result.extrasKey)) {
      yield isFirst ? `,${text.slice(1)}` : text;
      isFirst = false;
    }
  }
  yield "}";
}

async function* textOf(files: Files, key: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of await files.read(key)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
  }
}

function withoutResult(job: StoredJob): Job {
  const { id, status, progress, fileName, documentId, createdAt, updatedAt, error } = job;
  return {
    job_id: id,
    status,
    progress,
    file_name: fileName,
    ...(documentId !== null && { document_id: documentId }),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(error && { error }),
  };
}
