import { PARSING_STOPS, type ParsingStop } from "../parser/contract-jobs.ts";
import type { ProcessingDeps } from "./process-document.ts";
import { findAttempt, saveStopped } from "./processing-store.ts";

/** @returns whether the document was being processed. */
export async function stopProcessing(
  { db, queue }: Pick<ProcessingDeps, "db" | "queue">,
  id: string,
): Promise<boolean> {
  const jobId = await findAttempt(db, id);
  if (!(await saveStopped(db, id))) return false;
  if (jobId !== undefined)
    await queue.publish(PARSING_STOPS, { jobId } satisfies ParsingStop);
  return true;
}
