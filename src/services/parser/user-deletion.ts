import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { type Delivery, Poison } from "../../platform/queue/queue.ts";
import { UserDeletion, type PersonalRecord } from "../users/contract-user-deletion.ts";
import { listJobsOf, type StoredJob, takeJobsOf } from "./jobs/job-store.ts";
import { deleteFiles } from "./jobs/manage-jobs.ts";

interface Deps {
  db: Database;
  files: Files;
}

const JOBS_A_PAGE = 50;
/** A page ends early once it holds so much. */
const CHARACTERS_A_PAGE = 4_000_000;

/** Lets go of what a deleted user had read. Twice is as once. */
export async function forgetUser(
  { db, files }: Deps,
  { data }: Pick<Delivery, "data">,
): Promise<void> {
  const deletion = UserDeletion.safeParse(data);
  if (!deletion.success) throw new Poison("not a user deletion");
  for (const job of await takeJobsOf(db, deletion.data.userId)) await deleteFiles(files, job);
}

/**
 * What the parser holds of a user: his jobs, with what was read of files that he sent here, as long
 * as it is kept. Pictures are not in it, which `GET /parse-status/:id` gives; what became of a
 * document is the documents service's to tell.
 */
export async function personalData(
  { db, files }: Deps,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  const jobs = await listJobsOf(db, userId, after, JOBS_A_PAGE);
  const records: PersonalRecord[] = [];
  let characters = 0;
  for (const job of jobs) {
    const markdown = await markdownOf(files, job);
    const { id, fileName, documentId, status, options, metadata, error, createdAt, updatedAt } =
      job;
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
    if (characters > CHARACTERS_A_PAGE) return { records, next: id };
  }
  return { records, next: jobs.length < JOBS_A_PAGE ? null : (jobs.at(-1)?.id ?? null) };
}

async function markdownOf(
  files: Files,
  { ownFiles, markdownKey }: StoredJob,
): Promise<string | undefined> {
  if (!ownFiles || markdownKey === null) return undefined;
  try {
    return await new Response(await files.read(markdownKey)).text();
  } catch (error) {
    // he let go of it a moment ago
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
