import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { documentsContract, MAX_ATTACHMENTS } from "../../documents/contract.ts";

const TIMEOUT_MS = 60_000;

interface Deps {
  db: Database;
  documents: Fetch;
}

/** Deletes attachments whose messages were deleted. */
export async function deleteReleased(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  for (;;) {
    signal.throwIfAborted();
    const rows = await db.query<{ id: string }>(sql`select file_id as id
      from core.released_files order by file_id limit ${MAX_ATTACHMENTS}`);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await deleteUnused(deps, ids, signal);
    await db.query(
      sql`delete from core.released_files where file_id = any(${ids}::uuid[])`,
    );
  }
}

/** Deletes attachments that were uploaded days ago and never sent. */
export async function deleteUnsent(deps: Deps, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  do {
    const { ids } = await call(
      deps.documents,
      documentsContract.listUnsent,
      { query: { after } },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    await deleteUnused(deps, ids, signal);
    after = ids.at(-1);
  } while (after !== undefined);
}

async function deleteUnused(
  { db, documents }: Deps,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const rows = await db.query<{ id: string }>(sql`select id
    from unnest(${[...ids]}::uuid[]) as asked (id)
    where not exists (select 1 from core.message_files f where f.file_id = asked.id)`);
  if (rows.length === 0) return;
  const body = { ids: rows.map(({ id }) => id) };
  await call(
    documents,
    documentsContract.deleteAttachments,
    { body },
    { signal, timeoutMs: TIMEOUT_MS },
  );
}
