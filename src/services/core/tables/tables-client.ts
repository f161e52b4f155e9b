import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, NotFound, Unavailable } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import { MAX_NAMED_DOCUMENTS } from "../../documents/contract-texts.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { parserContract } from "../../parser/contract.ts";
import type {
  DescribedTable,
  QueriedTable,
  TableDocument,
} from "../../parser/tables/contract.ts";

const FIND_TIMEOUT_MS = 10_000;
/** Large files are read first. */
const TIMEOUT_MS = 180_000;
const RETRY_AFTER_MS = 30_000;

/** Documents of a run: these, or with null all that the user may see. */
export interface TableScope {
  userId: string;
  docIds: readonly string[] | null;
  /** Of the conversation, which are not among all that the user may see. */
  attached?: readonly string[];
}

export interface TableList {
  tables: DescribedTable[];
  unreadable: { fileName: string; reason: string }[];
  /** Whether there are tables beyond those that one query may read. */
  more: boolean;
}

/** The tables of documents, as far as a user may see them. */
export interface Tables {
  /** Whether any of the documents is a table. */
  has(scope: TableScope, signal: AbortSignal): Promise<boolean>;
  describe(scope: TableScope, signal: AbortSignal): Promise<TableList>;
  /**
   * `scope`: the documents whose tables could be named.
   * @throws BadRequest `query_failed`, `query_not_select`; NotFound `tables_not_found`.
   */
  query(
    scope: TableScope,
    asked: { sql: string; maxRows: number; maxBehind: number },
    signal: AbortSignal,
  ): Promise<QueriedTable & { scope: string[] }>;
  /** All rows of an answer as CSV. @throws as `query`. */
  export(scope: TableScope, sql: string, signal: AbortSignal): Promise<string>;
}

export function createTables(documents: Fetch, parser: Fetch): Tables {
  async function find({ userId, docIds, attached = [] }: TableScope, signal: AbortSignal) {
    const body = {
      userId,
      ...(docIds
        ? { ids: docIds.slice(0, MAX_NAMED_DOCUMENTS) }
        : { alsoIds: attached.slice(0, MAX_NAMED_DOCUMENTS) }),
    };
    const options = { signal, timeoutMs: FIND_TIMEOUT_MS };
    return call(documents, documentsContract.findTables, { body }, options);
  }

  async function findSome(scope: TableScope, signal: AbortSignal) {
    const found = await find(scope, signal).catch(unavailable(signal));
    if (found.documents.length === 0) throw noTables();
    return found;
  }

  return {
    has: async (scope, signal) => (await find(scope, signal)).documents.length > 0,
    async describe(scope, signal) {
      const { documents: found, more } = await findSome(scope, signal);
      const body = { userId: scope.userId, documents: found.map(toTable) };
      const options = { signal, timeoutMs: TIMEOUT_MS };
      const described = await call(
        parser,
        parserContract.describeTables,
        { body },
        options,
      ).catch(unavailable(signal));
      return { ...described, more };
    },
    async query(scope, asked, signal) {
      const { documents: found } = await findSome(scope, signal);
      const body = { ...asked, userId: scope.userId, documents: found.map(toTable) };
      const options = { signal, timeoutMs: TIMEOUT_MS };
      const answer = await call(
        parser,
        parserContract.queryTables,
        { body },
        options,
      ).catch(unavailable(signal));
      return { ...answer, scope: found.map(({ id }) => id) };
    },
    async export(scope, sql, signal) {
      const { documents: found } = await findSome(scope, signal);
      const body = { sql, userId: scope.userId, documents: found.map(toTable) };
      const options = { signal, timeoutMs: TIMEOUT_MS };
      const { csv } = await call(
        parser,
        parserContract.exportTables,
        { body },
        options,
      ).catch(unavailable(signal));
      return csv;
    },
  };
}

function toTable({ id, fileName, mimeType, sha256 }: StoredDocument): TableDocument {
  return { id, fileName, mimeType, sha256 };
}

/** What the services say to a person is passed on, and what is wrong with them is not. */
function unavailable(signal: AbortSignal) {
  return (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status < 500) throw error;
    throw tablesUnavailable(error);
  };
}

export function tablesUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "tables_unavailable",
    "The tables cannot be read now. Ask again in a moment.",
    RETRY_AFTER_MS,
    { cause },
  );
}

function noTables(): NotFound {
  return new NotFound(
    "tables_not_found",
    "None of the documents is a table that the user may see. Add one: CSV, Excel, OpenDocument, " +
      "Parquet or JSON Lines.",
  );
}
