import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { repeatUntilNone } from "../../platform/db/repeat-until-none.ts";
import { NotFound } from "../../platform/http/errors.ts";
import type { PersonalRecord, UserDeletion } from "../users/contract-user-deletion.ts";
import {
  deleteJobs,
  disownJobsOf,
  findJobsOf,
  listJobsOf,
  type StoredJob,
} from "./jobs/job-store.ts";
import { deleteFiles } from "./jobs/manage-jobs.ts";

interface Deps {
  db: Database;
  files: Files;
}

const JOBS_PER_PAGE = 50;
/** A page ends early when its text exceeds this length. */
const MAX_PAGE_CHARACTERS = 4_000_000;

/** Deletes the jobs and files of a deleted user. Idempotent. */
export async function forgetUser(
  { db, files }: Deps,
  deletion: UserDeletion,
): Promise<void> {
  const { userId } = deletion;
  await repeatUntilNone(db, () => disownJobsOf(db, userId));
  await repeatUntilNone(db, async () => {
    const jobs = await findJobsOf(db, userId);
    // the files first: what a failure leaves is found again
    for (const job of jobs) await deleteFiles(files, job);
    await deleteJobs(
      db,
      jobs.map(({ id }) => id),
    );
    return jobs.length;
  });
}

/**
 * Lists what the parser stores about a user: their jobs, with the text of files that they sent to
 * the parser. Images are available at `GET /parse-status/:id`; the text of documents belongs to the
 * documents service.
 */
export async function personalData(
  { db, files }: Deps,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  const jobs = await listJobsOf(db, userId, after, JOBS_PER_PAGE);
  const records: PersonalRecord[] = [];
  let characters = 0;
  for (const job of jobs) {
    const markdown = await markdownOf(files, job);
    const {
      id,
      fileName,
      documentId,
      status,
      options,
      metadata,
      error,
      createdAt,
      updatedAt,
    } = job;
    const data = { id, fileName, documentId, status, options, createdAt, updatedAt };
    records.push({
      kind: "parsingJob",
      data: {
        ...data,
        ...(metadata && { metadata }),
        ...(error && { error }),
        ...(markdown !== undefined && { markdown }),
      },
    });
    characters += markdown?.length ?? 0;
    if (characters > MAX_PAGE_CHARACTERS) return { records, next: id };
  }
  return { records, next: jobs.length < JOBS_PER_PAGE ? null : (jobs.at(-1)?.id ?? null) };
}

async function markdownOf(
  files: Files,
  { ownFiles, markdownKey }: StoredJob,
): Promise<string | undefined> {
  if (!ownFiles || markdownKey === null) return undefined;
  try {
    return await new Response(await files.read(markdownKey)).text();
  } catch (error) {
    // the user deleted the job in the meantime
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
