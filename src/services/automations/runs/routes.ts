import { userOf } from "../../../platform/http/caller.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import { readUpload, type UploadedFile } from "../../../platform/http/read-upload.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { eventStream } from "../../../platform/http/stream.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { MediumFields, runsContract as contract } from "../contract-runs.ts";
import { previewContract } from "../contract-preview.ts";
import { inspectMedium } from "../media/inspect-medium.ts";
import { type IntakeDeps, takeMedium } from "../media/take-medium.ts";
import { followRun } from "./follow-run.ts";
import { cancelRun, removeRun, rerun, retryRun, runNotFound } from "./manage-runs.ts";
import { listRuns, readRun } from "./store.ts";

interface Deps extends IntakeDeps {
  core: Fetch;
  log: Logger;
}

export function runRoutes(routes: Routes, deps: Deps): Routes {
  const { db } = deps;
  const readOwnRun = async (userId: string, id: string) => {
    const run = await readRun(db, userId, id);
    if (!run) throw runNotFound();
    return run;
  };
  return routes
    .on(contract.takeMedium, async ({ caller, request, signal }) => {
      const user = userOf(caller);
      const idempotencyKey = request.headers.get("idempotency-key") ?? undefined;
      const { stored } = await readUpload(request, async (file, fields) =>
        takeMedium(
          deps,
          file,
          { user, fields: parseFields(fields), idempotencyKey },
          signal,
        ),
      );
      return json(stored, 202);
    })
    .on(previewContract.inspectMedium, async ({ request, signal }) => {
      const inspect = (file: UploadedFile) => inspectMedium(file, deps.maxBytes, signal);
      return (await readUpload(request, inspect)).stored;
    })
    .on(contract.listRuns, ({ caller, query: { page, limit: most, ...filter } }) =>
      readPage({ page, limit: most }, (limit, offset) =>
        listRuns(db, userOf(caller).userId, filter, limit, offset),
      ),
    )
    .on(contract.getRun, ({ caller, params }) =>
      readOwnRun(userOf(caller).userId, params.id),
    )
    .on(contract.runEvents, async ({ caller, params, signal }) => {
      const { userId } = userOf(caller);
      const read = () => readOwnRun(userId, params.id);
      await read();
      return eventStream(followRun(db, params.id, read, signal));
    })
    .on(contract.cancelRun, async ({ caller, params }) => {
      const user = userOf(caller);
      await cancelRun(deps, user, params.id);
      return readOwnRun(user.userId, params.id);
    })
    .on(contract.retryRun, async ({ caller, params }) => {
      const user = userOf(caller);
      await retryRun(db, user, params.id);
      return readOwnRun(user.userId, params.id);
    })
    .on(contract.rerun, ({ caller, params }) => rerun(deps, userOf(caller), params.id))
    .on(contract.removeRun, ({ caller, params }) =>
      removeRun(deps, userOf(caller), params.id),
    );
}

/** @throws BadRequest `validation_failed` with the paths of invalid fields. */
function parseFields(given: Record<string, string>): MediumFields {
  const parsed = MediumFields.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")),
  );
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: path.join("."),
    message,
  }));
  throw new BadRequest(
    "validation_failed",
    "Some fields of the upload are invalid. See details.",
    {
      details,
    },
  );
}
