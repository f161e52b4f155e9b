import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { FilePasswords } from "../../../platform/files/file-passwords.ts";
import type { Files } from "../../../platform/files/files.ts";
import { attachment } from "../../../platform/http/attachment.ts";
import { BadRequest, Conflict } from "../../../platform/http/errors.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { parserContract as contract } from "../contract.ts";
import type { ParsingProcesses } from "../parsing-processes.ts";
import { JOBS, limitRequests } from "../rate-limits.ts";
import { jsonAnswer, optionsOf } from "../show-result.ts";
import { cancelJob, jobFor, submitJob } from "./manage-jobs.ts";
import { showJob } from "./show-job.ts";

export interface JobRouteDeps {
  db: Database;
  queue: Queue;
  files: Files;
  cache: Cache;
  passwords: FilePasswords;
  limits: ParsingProcesses;
}

const MAX_KEY_CHARACTERS = 200;

/** Jobs that parse a file after the answer: submit, watch, cancel, fetch the result. */
export function jobRoutes(routes: Routes, deps: JobRouteDeps): Routes {
  const { db, files, cache, limits } = deps;
  return routes
    .on(contract.parseAsync, async ({ caller, query, request, peer, signal }) => {
      await limitRequests(cache, JOBS, { caller, peer });
      const { id, status } = await submitJob(deps, request, {
        documentId: query.document_id ?? null,
        ownerId: caller.kind === "user" ? caller.userId : (query.user_id ?? null),
        options: optionsOf(query),
        idempotencyKey: idempotencyKeyOf(request),
        maxBytes: limits.maxBytes,
        signal,
      });
      return json({ job_id: id, status }, 202);
    })
    .on(contract.parseStatus, async ({ caller, params }) =>
      jsonAnswer(await showJob(files, await jobFor(db, caller, params.job_id))),
    )
    .on(contract.parseCancel, async ({ caller, params }) =>
      cancelJob(deps, await jobFor(db, caller, params.job_id)),
    )
    .on(contract.parseMarkdown, async ({ caller, params }) => {
      const { markdownKey, fileName } = await jobFor(db, caller, params.job_id);
      if (markdownKey === null)
        throw new Conflict("not_parsed_yet", "This job has no result. Look at its status.");
      return attachment(await files.read(markdownKey), {
        fileName: `${fileName}.md`,
        mime: "text/markdown; charset=utf-8",
      });
    });
}

function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && key.length > MAX_KEY_CHARACTERS)
    throw new BadRequest(
      "idempotency_key_too_long",
      `The Idempotency-Key is longer than ${MAX_KEY_CHARACTERS} characters. Send a ` +
        "shorter one.",
      { params: { max: MAX_KEY_CHARACTERS } },
    );
  return key || null;
}
