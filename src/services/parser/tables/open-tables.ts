import { randomUUID } from "node:crypto";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import { singleFlightByKey } from "../../../platform/single-flight.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { limitMemory } from "../../../platform/workers/limit-memory.ts";
import type { Task } from "../../../platform/workers/task.ts";
import type { WorkerErrors } from "../../../platform/workers/worker-errors.ts";
import { createWorkers } from "../../../platform/workers/workers.ts";
import type { LocalFiles } from "../local-files.ts";
import {
  type DescribedTable,
  type QueriedTable,
  type TableDocument,
  tableKind,
} from "./contract.ts";
import { type NamedTable, nameTables } from "./name-tables.ts";
import type prepareTables from "./prepare-tables.ts";
import { INPUT, OUTPUT, type PreparedTable } from "./prepared.ts";
import type { default as queryTables, exportTables } from "./query-tables.ts";
import { openTableFiles } from "./table-files.ts";

export interface Tables extends AsyncDisposable {
  /** @throws what reading a document throws, when there is only one. */
  describe(asked: TableSources, signal: AbortSignal): Promise<Described>;
  /** @throws BadRequest `query_failed`, `query_not_select`; ApiError `too_complex`. */
  query(
    asked: TableSources & { sql: string; maxRows: number; maxBehind?: number },
    signal: AbortSignal,
  ): Promise<QueriedTable>;
  /** All rows of an answer as CSV. @throws as `query`. */
  export(
    asked: TableSources & { sql: string },
    signal: AbortSignal,
  ): Promise<{ csv: string }>;
  sweep(): Promise<void>;
  state(): { workers: number; running: number; waiting: number };
}

export interface TableSources {
  userId: string;
  documents: readonly TableDocument[];
}

export interface Described {
  tables: DescribedTable[];
  unreadable: { documentId: string; fileName: string; reason: string }[];
}

interface Deps {
  /** Where the databases and the folders of the workers are. */
  folder: string;
  local: LocalFiles;
  maxBytes: number;
  isolation: Isolation;
  /** Opens the bytes of a document. @throws NotFound. */
  readDocument(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  log: Logger;
}

const MEMORY_BYTES = 2 ** 30;
const HEAP_BYTES = 600 * 2 ** 20;
const PROCESSES = 2;
const MAX_PER_USER = 8;
const MAX_WAITING = 100;
const PREPARE_MS = 120_000;
const QUERY_MS = 30_000;

/** A folder that nobody touched for so long is of a process that was killed. */
const LEFT_MS = 3_600_000;

const PREPARE: Task<typeof prepareTables> = {
  file: new URL("./prepare-tables.ts", import.meta.url),
  timeoutMs: PREPARE_MS,
  what: "Reading the tables of this file",
  advice: "Divide the file, or leave out columns.",
};
const ofQueries = {
  file: new URL("./query-tables.ts", import.meta.url),
  timeoutMs: QUERY_MS,
  what: "The query",
  advice: "Filter first, or select fewer rows.",
};
const QUERY: Task<typeof queryTables> = ofQueries;
const EXPORT: Task<typeof exportTables> = { ...ofQueries, exported: "exportTables" };

/**
 * Tables of documents, for queries. A file is read once, into a database that is kept while it is
 * used; each query runs in a process that sees copies of the databases that it names and nothing
 * else. Neither starts nor loads anything before the first call.
 */
export async function openTables(deps: Deps): Promise<Tables> {
  const { local, maxBytes, isolation, readDocument, log } = deps;
  await deleteLeftovers(deps.folder);
  // replicas may share the data folder
  const own = join(deps.folder, randomUUID());
  const folders = await makeWorkFolder(own, isolation);
  const files = await openTableFiles(join(own, "kept"));
  const workers = createWorkers({
    size: PROCESSES,
    maxWaiting: MAX_WAITING,
    maxPerUser: MAX_PER_USER,
    memoryBytes: MEMORY_BYTES,
    heapBytes: HEAP_BYTES,
    isolation,
    memory: await limitMemory(MEMORY_BYTES),
    errors: ERRORS,
    addons: true,
    folders,
    log,
  });
  const once = singleFlightByKey();
  const closing = new AbortController();

  async function prepared(
    document: TableDocument,
    userId: string,
    signal: AbortSignal,
  ): Promise<PreparedTable[]> {
    const found = await files.find(document.sha256);
    // others may wait for the same file, so that it is read to its end
    return (
      found ??
      once(document.sha256, signal, () => prepare(document, userId, closing.signal))
    );
  }

  async function prepare(
    { id, sha256, mimeType, fileName }: TableDocument,
    userId: string,
    signal: AbortSignal,
  ): Promise<PreparedTable[]> {
    const kind = tableKind(mimeType, fileName);
    if (!kind) return [];
    await using file = await local.take(await readDocument(id, signal), {
      maxBytes,
      signal,
    });
    const fill = async (folder: string) => {
      const path = join(folder, INPUT);
      await copyFile(file.path, path);
      // the worker may be another user
      await chmod(path, 0o666);
    };
    const take = (folder: string, output: unknown) =>
      files.keep(sha256, output as PreparedTable[], join(folder, OUTPUT));
    return await workers.run(PREPARE, { kind }, { userId, signal, folder: { fill, take } });
  }

  /** The tables of all documents that can be read, and why others cannot. */
  async function readAll({ documents, userId }: TableSources, signal: AbortSignal) {
    const read: { document: TableDocument; tables: PreparedTable[] }[] = [];
    const unreadable: Described["unreadable"] = [];
    for (const document of documents) {
      const { id: documentId, fileName } = document;
      try {
        read.push({ document, tables: await prepared(document, userId, signal) });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        unreadable.push({ documentId, fileName, reason: error.message });
      }
    }
    return { named: nameTables(read), unreadable };
  }

  /** What a query needs: the tables with their names, and copies of their databases. */
  function work(named: readonly NamedTable[], userId: string, signal: AbortSignal) {
    const hashes = [...new Set(named.map(({ document }) => document.sha256))];
    const fileOf = ({ sha256 }: TableDocument) => `${hashes.indexOf(sha256)}.duckdb`;
    const tables = named.map(({ name, document, table }) => ({
      file: fileOf(document),
      id: table.id,
      name,
    }));
    const fill = async (folder: string) => {
      for (const [at, sha256] of hashes.entries())
        await files.copy(sha256, join(folder, `${at}.duckdb`));
    };
    return { tables, options: { userId, signal, folder: { fill } } };
  }

  return {
    async describe(asked, signal) {
      const { named, unreadable } = await readAll(asked, signal);
      return { tables: named.map(toDescribed), unreadable };
    },
    async query({ sql, maxRows, maxBehind = 0, ...asked }, signal) {
      const { named } = await readAll(asked, signal);
      const { tables, options } = work(named, asked.userId, signal);
      const answer = await workers.run(QUERY, { sql, tables, maxRows, maxBehind }, options);
      const { tables: names, ...rows } = answer;
      return { ...rows, documents: documentsOf(named, names) };
    },
    async export({ sql, ...asked }, signal) {
      const { named } = await readAll(asked, signal);
      const { tables, options } = work(named, asked.userId, signal);
      return { csv: await workers.run(EXPORT, { sql, tables }, options) };
    },
    async sweep() {
      const now = new Date();
      await utimes(own, now, now);
      await files.sweep();
    },
    state: workers.state,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await workers[Symbol.asyncDispose]();
      for (const path of [folders, own]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Deletes what processes left that were killed. Living ones touch theirs. */
async function deleteLeftovers(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Where the workers have their folders: nobody lists it, and their names cannot be guessed. */
async function makeWorkFolder(own: string, isolation: Isolation): Promise<string> {
  if (isolation.kind !== "own-user") {
    const folders = join(own, "work");
    await mkdir(folders, { recursive: true, mode: 0o711 });
    return folders;
  }
  // a process of another user, whose root is this one's, goes through no private data folder
  const folders = await mkdtemp(join(tmpdir(), "parlance-tables-"));
  await chmod(folders, 0o711);
  return folders;
}

function toDescribed({ name, document, table }: NamedTable): DescribedTable {
  const { id: _, ...described } = table;
  return { ...described, name, documentId: document.id, fileName: document.fileName };
}

/** The documents whose tables a query names, each once. */
function documentsOf(named: readonly NamedTable[], names: readonly string[]) {
  const asked = new Set(names.map((name) => name.toLowerCase()));
  const found = new Map(
    named
      .filter(({ name }) => asked.has(name.toLowerCase()))
      .map(({ document: { id, fileName } }) => [id, { id, fileName }]),
  );
  return [...found.values()];
}

const busy = () =>
  new Unavailable(
    "tables_busy",
    "Too many questions about tables wait for their turn. Try again in a moment.",
    10_000,
  );

const ERRORS: WorkerErrors = {
  busy,
  tooMany: busy,
  unavailable: (cause) =>
    new Unavailable(
      "tables_unavailable",
      "No process can be started to read tables. Try again in a moment.",
      5_000,
      { cause },
    ),
  crashed: (_, cause) =>
    new ApiError(
      422,
      "table_unreadable",
      "Reading these tables crashed the process that read them. The file is probably damaged. " +
        "Save it again, or send another copy.",
      { cause },
    ),
};
