import sql, { type Sql } from "sql-template-tag";
import { call, type Fetch } from "../../platform/http/call.ts";
import { allItems, type PageQuery } from "../../platform/http/page.ts";
import { documentsContract } from "../documents/contract.ts";
import { sharingContract } from "../users/contract-sharing.ts";

/** The documents that a search covers. */
export type Scope =
  | { kind: "all" }
  | { kind: "documents"; ids: readonly string[] }
  | { kind: "visible"; ownerId: string; shared: readonly string[] };

interface Deps {
  documents: Fetch;
  users: Fetch;
}

const TIMEOUT_MS = 10_000;
/** The limit of ids in one call to the documents service. */
const MAX_IDS_PER_CALL = 500;

/**
 * Resolves the scope of a search. For a user: the named documents that the user may see, or all
 * that they may see. For a peer service without a user: the named documents, or all. Nothing is
 * cached, so that a revoked share takes effect at once.
 */
export async function scopeOf(
  deps: Deps,
  userId: string | undefined,
  docIds: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Scope> {
  if (userId === undefined)
    return docIds ? { kind: "documents", ids: docIds } : { kind: "all" };
  if (docIds)
    return {
      kind: "documents",
      ids: await visible(deps.documents, userId, docIds, signal),
    };
  return {
    kind: "visible",
    ownerId: userId,
    shared: await sharedWith(deps.users, userId, signal),
  };
}

/**
 * Returns the SQL condition that a row of `documents.documents d` is in the scope and was PROCESSED
 * at least once: while a document is processed again, its former index answers.
 */
export function inScope(scope: Scope): Sql {
  return sql`(d.status = 'PROCESSED' or d.indexing is not null) and ${isNamed(scope)}`;
}

/** Returns the SQL condition that a row of `documents.documents d` is in the scope. */
export function isNamed(scope: Scope): Sql {
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
  for (let from = 0; from < docIds.length; from += MAX_IDS_PER_CALL) {
    const body = { userId, ids: docIds.slice(from, from + MAX_IDS_PER_CALL) };
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

async function sharedWith(
  users: Fetch,
  userId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  const readOne = (page: PageQuery) =>
    call(
      users,
      sharingContract.sharedWith,
      { params: { userId }, query: { ...page, resourceType: "document" } },
      { signal, timeoutMs: TIMEOUT_MS },
    );
  for await (const { resourceId } of allItems(readOne)) ids.push(resourceId);
  return ids;
}
