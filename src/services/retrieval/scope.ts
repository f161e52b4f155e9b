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
const MOST_RESOLVED = 500;
const PAGE = 100;

/**
 * What is searched for a user: of the documents that are named those that he may see, else all that he may see. Asked anew for every
 * question, so that what is revoked is gone at once. Without a user, as sibling services ask, what is named or everything.
 */
export async function scopeOf(
  deps: Deps,
  userId: string | undefined,
  docIds: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Scope> {
  if (userId === undefined) return docIds ? { kind: "documents", ids: docIds } : { kind: "all" };
  if (docIds) return { kind: "documents", ids: await visible(deps.documents, userId, docIds, signal) };
  return { kind: "visible", ownerId: userId, shared: await sharedWith(deps.users, userId, signal) };
}

/** Whether a row of `documents.documents d` is in it. */
export function inScope(scope: Scope): Sql {
  if (scope.kind === "all") return sql`true`;
  if (scope.kind === "documents") return sql`d.id = any (${scope.ids}::uuid[])`;
  return sql`(d.owner_id = ${scope.ownerId} or d.id = any (${scope.shared}::uuid[]))`;
}

async function visible(documents: Fetch, userId: string, docIds: readonly string[], signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < docIds.length; from += MOST_RESOLVED) {
    const body = { userId, ids: docIds.slice(from, from + MOST_RESOLVED) };
    const found = await call(documents, documentsContract.resolve, { body }, { signal, timeoutMs: TIMEOUT_MS });
    ids.push(...found.map(({ id }) => id));
import type { Caller } from "../../platform/http/caller.ts";
import { documentsContract } from "../documents/contract.ts";
import { sharingContract } from "../users/contract-sharing.ts";

/** Which documents are searched; nothing said: all. */
export interface Scope {
  docIds?: string[];
  /** Whose documents, and those shared with him. */
  owner?: { userId: string; shared: string[] };
}

const TIMEOUT_MS = 5_000;
const RESOLVED_AT_ONCE = 500;
const SHARED_A_PAGE = 100;
const MOST_SHARED_PAGES = 50;

/**
 * What may be searched for a caller: a person's own and what is shared with him, however he asks; for siblings what they name, which they
 * have checked, or what the user may see whom they name.
 */
export async function scopeFor(
  siblings: { documents: () => Fetch; users: () => Fetch },
  caller: Caller,
  { docIds, userId: named }: { docIds?: string[] | undefined; userId?: string | undefined },
): Promise<Scope> {
  const userId = caller.kind === "user" ? caller.userId : named;
  if (userId === undefined) return docIds === undefined ? {} : { docIds };
  if (docIds === undefined) return { owner: { userId, shared: await sharedWith(siblings.users(), userId) } };
  const visible: string[] = [];
  for (let at = 0; at < docIds.length; at += RESOLVED_AT_ONCE) {
    const ids = docIds.slice(at, at + RESOLVED_AT_ONCE);
    const found = await call(
      siblings.documents(),
      documentsContract.resolve,
      { body: { userId, ids } },
      { timeoutMs: TIMEOUT_MS },
    );
    visible.push(...found.map(({ id }) => id));
  }
  return { docIds: visible };
}

async function sharedWith(users: Fetch, userId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= MOST_SHARED_PAGES; page += 1) {
    const query = { resourceType: "document" as const, page, limit: SHARED_A_PAGE };
    const { items, total } = await call(
      users,
      sharingContract.sharedWith,
      { params: { userId }, query },
      { timeoutMs: TIMEOUT_MS },
    );
    ids.push(...items.map(({ resourceId }) => resourceId));
    if (items.length === 0 || ids.length >= total) break;
  }
  return ids;
}

async function sharedWith(users: Fetch, userId: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, limit: PAGE, resourceType: "document" as const };
    const options = { signal, timeoutMs: TIMEOUT_MS };
    const { items, total } = await call(users, sharingContract.sharedWith, { params: { userId }, query }, options);
    ids.push(...items.map(({ resourceId }) => resourceId));
    if (items.length === 0 || page * PAGE >= total) return ids;
  }
export function isEmpty({ docIds }: Scope): boolean {
  return docIds?.length === 0;
}

/** A condition on `s` (documents.chunk_sets) and `d` (documents.documents). */
export function inScope({ docIds, owner }: Scope): Sql {
  if (docIds) return sql`s.document_id = any(${docIds}::uuid[])`;
  if (owner) return sql`(d.owner_id = ${owner.userId} or d.id = any(${owner.shared}::uuid[]))`;
  return sql`true`;
}

/** The current chunk sets, as `s`, with their documents as `d` where the scope asks for them. */
export function currentSets({ owner }: Scope): Sql {
  return owner ? sql`documents.chunk_sets s join documents.documents d on d.id = s.document_id` : sql`documents.chunk_sets s`;
}
