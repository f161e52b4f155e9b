import sql, { type Sql, join } from "sql-template-tag";
import { call, type Fetch } from "../../platform/http/call.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import type { AttributeFilter, Comparison } from "../documents/contract-attributes.ts";
import { attributesWithoutFolders } from "./openai-api/contract-search.ts";
import { documentsContract } from "../documents/contract.ts";
import { folderNotFound } from "../documents/contract-not-found.ts";
import { createResourceRegister } from "../users/contract-register.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import { inGroups } from "../../platform/in-groups.ts";

/** The documents that a search covers. */
export type Scope =
  | { kind: "all" }
  | { kind: "documents"; ids: readonly string[] }
  | VisibleScope
  | FolderScope;

/** What a user may see, without attachments but these of the user's own. */
interface VisibleScope {
  kind: "visible";
  ownerId: string;
  shared: readonly string[];
  attachments?: readonly string[];
}

/** What lies in folders, and what is attached to them and their reader may see. */
interface FolderScope {
  kind: "folders";
  ids: readonly string[];
  filter?: AttributeFilter | undefined;
  /** Absent for a service: it may see all. */
  reader?: { ownerId: string; shared: readonly string[] };
}

/** What a search names; nothing: all that may be seen. */
export interface Named {
  docIds?: readonly string[] | undefined;
  alsoDocIds?: readonly string[] | undefined;
  folderIds?: readonly string[] | undefined;
  attributes?: AttributeFilter | undefined;
}

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
  { docIds, alsoDocIds = [], folderIds, attributes: filter }: Named,
  signal: AbortSignal,
): Promise<Scope> {
  if (folderIds) return scopeOfFolders(deps, userId, { folderIds, docIds, filter }, signal);
  if (filter) throw attributesWithoutFolders();
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
    shared: await createResourceRegister(deps.users).listShared("document", userId, signal),
    attachments: alsoDocIds,
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
  if (scope.kind === "folders") return isInFolders(scope);
  return isListed(scope);
}

function isListed({ ownerId, shared, attachments = [] }: VisibleScope): Sql {
  return sql`((d.owner_id = ${ownerId} and (d.purpose is distinct from 'attachment'
    or d.id = any (${attachments}::uuid[]))) or d.id = any (${shared}::uuid[]))`;
}

/** As `documents/access.ts` decides for one document: the user's own, and those shared. */
function isVisible(scope: { ownerId: string; shared: readonly string[] }): Sql {
  return sql`(d.owner_id = ${scope.ownerId} or d.id = any (${scope.shared}::uuid[]))`;
}

function isInFolders({ ids, filter, reader }: FolderScope): Sql {
  const lies = sql`d.folder_id = any (${ids}::uuid[])`;
  const attached = sql`d.id in (select a.document_id from documents.store_files a
    where a.folder_id = any (${ids}::uuid[]))`;
  const seen = reader ? sql`${attached} and ${isVisible(reader)}` : attached;
  return sql`(${lies} or ${seen}) and ${filter ? fulfils(filter, ids) : sql`true`}`;
}

/**
 * A name for the statement that a scope is part of, by which it is prepared. There are too many
 * filters to prepare a statement for each.
 */
export function statementName(purpose: string, scope: Scope): { name?: string } {
  if (scope.kind !== "folders") return { name: `${purpose}-${scope.kind}` };
  return {};
}

/** @throws NotFound `folder_not_found` for a folder that the user may not see. */
async function scopeOfFolders(
  { documents, users }: Deps,
  userId: string | undefined,
  { folderIds, docIds, filter }: FolderNames,
  signal: AbortSignal,
): Promise<Scope> {
  if (docIds) throw foldersOrDocuments();
  if (userId === undefined) return { kind: "folders", ids: folderIds, filter };
  if (folderIds.length > 0) {
    const body = { userId, ids: [...folderIds] };
    const found = await call(
      documents,
      documentsContract.resolveFolders,
      { body },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    if (found.length < new Set(folderIds).size) throw folderNotFound();
  }
  const reader = {
    ownerId: userId,
    shared: await createResourceRegister(users).listShared("document", userId, signal),
  };
  return { kind: "folders", ids: folderIds, filter, reader };
}

interface FolderNames {
  folderIds: readonly string[];
  docIds: readonly string[] | undefined;
  filter: AttributeFilter | undefined;
}

function foldersOrDocuments(): BadRequest {
  return new BadRequest(
    "folders_or_documents",
    "A search is of folders or of documents. Send either folderIds or docIds.",
  );
}

async function visible(
  documents: Fetch,
  userId: string,
  docIds: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  for (const some of inGroups(docIds, MAX_IDS_PER_CALL)) {
    const body = { userId, ids: some };
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

/**
 * Returns the SQL condition that a row of `documents.documents d` has such attributes in one of the
 * vector stores.
 */
function fulfils(filter: AttributeFilter, folderIds: readonly string[]): Sql {
  return sql`exists (select 1 from (
      select coalesce((select jsonb_object_agg(of.key, of.value)
        from documents.store_files a, jsonb_each(a.attributes) of
        where a.document_id = d.id and a.folder_id = any (${folderIds}::uuid[])), '{}')
        as attributes) f
    where ${conditionOf(filter)})`;
}

function conditionOf(filter: AttributeFilter): Sql {
  if (!("filters" in filter)) return compare(filter);
  const inner = filter.filters.map((one) => sql`(${conditionOf(one)})`);
  return join(inner, filter.type === "and" ? " and " : " or ");
}

/** An absent attribute is equal to nothing, and neither more nor less than anything. */
function compare(comparison: Comparison): Sql {
  const found = sql`(f.attributes -> ${comparison.key}::text)`;
  if (comparison.type === "in" || comparison.type === "nin") {
    const values = comparison.value.map((value) => jsonb(value));
    const isIn = sql`coalesce(${found} = any (array[${values.length > 0 ? join(values) : sql`null`}]::jsonb[]), false)`;
    return comparison.type === "in" ? isIn : sql`not ${isIn}`;
  }
  const value = sql`${jsonb(comparison.value)}::jsonb`;
  const isEqual = sql`coalesce(${found} = ${value}, false)`;
  if (comparison.type === "eq") return isEqual;
  if (comparison.type === "ne") return sql`not ${isEqual}`;
  return sql`coalesce(jsonb_typeof(${found}) = jsonb_typeof(${value})
    and ${found} ${ORDERS[comparison.type]} ${value}, false)`;
}

const ORDERS = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
} as const;
