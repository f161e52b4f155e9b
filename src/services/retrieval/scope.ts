import sql, { type Sql } from "sql-template-tag";
import { call, type Fetch } from "../../platform/http/call.ts";
import { documentsContract } from "../documents/contract.ts";
import { sharingContract } from "../users/contract-sharing.ts";

/** In which documents is searched. */
export type Scope =
  | { kind: "all" }
  | { kind: "documents"; ids: readonly string[] }
  | { kind: "visible"; ownerId: string; shared: readonly string[] };

interface Deps {
  documents: Fetch;
  users: Fetch;
}

const TIMEOUT_MS = 10_000;
/** As many as the documents service takes at once. */
const MAX_RESOLVED = 500;
const PAGE = 100;

/**
 * What is searched for a user: of the documents that are named those that he may see, else all that
 * he may see. Asked anew for every question, so that what is revoked is gone at once. Without a
 * user, as sibling services ask, what is named or everything.
 */
export async function scopeOf(
  deps: Deps,
  userId: string | undefined,
  docIds: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Scope> {
  if (userId === undefined) return docIds ? { kind: "documents", ids: docIds } : { kind: "all" };
  if (docIds)
    return { kind: "documents", ids: await visible(deps.documents, userId, docIds, signal) };
  return { kind: "visible", ownerId: userId, shared: await sharedWith(deps.users, userId, signal) };
}

/**
 * Whether a row of `documents.documents d` is in it, and was PROCESSED at least once: while it is
 * processed anew its former index answers.
 */
export function inScope(scope: Scope): Sql {
  return sql`(d.status = 'PROCESSED' or d.indexing is not null) and ${isNamed(scope)}`;
}

function isNamed(scope: Scope): Sql {
  if (scope.kind === "all") return sql`true`;
  if (scope.kind === "documents") return sql`d.id = any (${scope.ids}::uuid[])`;
  return sql`(d.owner_id = ${scope.ownerId} or d.id = any (${scope.shared}::uuid[]))`;
}

async function visible(
  documents: Fetch,
  userId: string,
  docIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < docIds.length; from += MAX_RESOLVED) {
    const body = { userId, ids: docIds.slice(from, from + MAX_RESOLVED) };
    const found = await call(
      documents,
      documentsContract.resolve,
      { body },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    ids.push(...found.map(({ id }) => id));
  }
  return ids;
}

async function sharedWith(users: Fetch, userId: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, limit: PAGE, resourceType: "document" as const };
    const options = { signal, timeoutMs: TIMEOUT_MS };
    const { items, total } = await call(
      users,
      sharingContract.sharedWith,
      { params: { userId }, query },
      options,
    );
    ids.push(...items.map(({ resourceId }) => resourceId));
    if (items.length === 0 || page * PAGE >= total) return ids;
  }
}
