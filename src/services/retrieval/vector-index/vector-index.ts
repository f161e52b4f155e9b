import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../../../platform/background/job.ts";
import type { Database } from "../../../platform/db/database.ts";
import { makeFolder } from "../../../platform/files/make-folder.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { memoryBytes } from "../../../platform/memory.ts";
import { mostInMemory } from "../../embedding/contract.ts";
import { activeModel, type VectorModel } from "../vector-model.ts";
import { startVectorThread, type VectorThread } from "./ask-thread.ts";
import {
  countChunks,
  groupSets,
  idsOf,
  readVectors,
  setsInUse,
  stateOfSets,
} from "./read-vectors.ts";

/**
 * The vectors of the model in use, in the memory of a thread, which compares all of them: the index
 * of the embedded database. PostgreSQL has its own.
 */
export interface VectorIndex extends AsyncDisposable {
  /** @returns undefined when not all vectors fit, or the index does not answer. */
  search(model: VectorModel, search: VectorSearch): Promise<Near | undefined>;
  /** Reads what is new in the database, and forgets what is no longer there. */
  keepInStep(signal: AbortSignal): Promise<void>;
}

interface VectorSearch {
  vector: readonly number[];
  /** Sets of chunks, each with its number of chunks: 16 and 4 bytes. */
  wanted: Buffer;
  limit: number;
}

export interface Near {
  /** Of the chunks that are nearest by numbers of 8 bits, the nearest first. */
  ids: string[];
  /** Wanted sets that are not in memory as a whole. They are being read. */
  lacking: { ids: string[]; chunks: number };
}

interface Deps {
  db: Database;
  /** Its own folder. */
  folder: string;
  log: Logger;
}

interface Opened {
  model: VectorModel;
  maxRows: number;
  thread: VectorThread;
}

/** Fewer chunks are compared by the database. */
export const MIN_CHUNKS = 300;
/** Its memory is given back when nobody searches. */
const IDLE_MS = 600_000;

export function openVectorIndex({ db, folder, log }: Deps): VectorIndex {
  let current: { modelId: number; opened: Promise<Opened> } | undefined;
  let filling: Promise<unknown> = Promise.resolve();
  /** The end of the thread before: two must not write one file. */
  let closing: Promise<void> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  /** The state of the database that memory, or the file, holds. */
  let seen: string | undefined;
  const closed = new AbortController();

  function threadOf(model: VectorModel): Promise<Opened> {
    if (current?.modelId !== model.id) void close();
    clearTimeout(idle);
    idle = setTimeout(close, IDLE_MS).unref();
    if (current) return current.opened;
    const opened = closing.then(() => open(model));
    current = { modelId: model.id, opened };
    // it ended by itself
    const forget = () => {
      if (current?.opened !== opened) return;
      current = undefined;
      seen = undefined;
    };
    opened.then(({ thread }) => thread.exited.then(forget), forget);
    return opened;
  }

  async function open(model: VectorModel): Promise<Opened> {
    await makeFolder(folder);
    const name = `vectors-${model.id}`;
    // of former models
    for (const other of await readdir(folder))
      if (other !== name) await rm(join(folder, other), { force: true });
    const maxRows = mostInMemory(memoryBytes(), model.dimensions);
    const { dimensions } = model;
    const thread = await startVectorThread(
      {
        path: join(folder, name),
        content: `${model.provider}/${model.name}`,
        dimensions,
        maxRows,
      },
      (reason) => log.warn({ reason }, "the vector index is not saved; it is tried again"),
    );
    return { model, maxRows, thread };
  }

  function close(): Promise<void> {
    clearTimeout(idle);
    const ending = current;
    current = undefined;
    if (ending)
      closing = ending.opened.then(
        ({ thread }) => thread.close(),
        () => {}, // one that did not open has said so to those who asked
      );
    return closing;
  }

  /** Reads the sets that lack, one call after the other. */
  function fill(opened: Opened, wanted: Uint8Array): Promise<void> {
    const filled = filling.then(() => readSets(opened, wanted));
    // each caller learns of its own
    filling = filled.catch(() => {});
    return filled;
  }

  async function readSets({ model, thread }: Opened, wanted: Uint8Array): Promise<void> {
    const { lacking } = await thread.ask({ kind: "lacking", wanted });
    for (const sets of groupSets(lacking)) {
      await thread.ask({ kind: "forget", sets });
      let startedAt = performance.now();
      for await (const rows of readVectors(db, model, sets)) {
        const tookMs = performance.now() - startedAt;
        if (closed.signal.aborted) return;
        if ((await thread.ask({ kind: "add", rows })).isFull) return;
        // the database serves others meanwhile
        await sleep(tookMs);
        startedAt = performance.now();
      }
      await thread.ask({ kind: "wereRead", sets });
    }
  }

  async function searchAndRead(
    opened: Opened,
    { vector, wanted, limit }: VectorSearch,
  ): Promise<Near | undefined> {
    const { ids, lacking, rows } = await opened.thread.ask({
      kind: "search",
      vector,
      wanted,
      limit,
    });
    const chunks = countChunks(lacking);
    if (chunks > 0 && rows + chunks > opened.maxRows) return undefined;
    if (chunks > 0) fill(opened, lacking).catch(notRead);
    return { ids, lacking: { ids: idsOf(lacking), chunks } };
  }

  const notRead = (error: unknown) =>
    log.warn({ err: error }, "vectors are not read; the next search tries again");

  return {
    async search(model, search) {
      try {
        return await searchAndRead(await threadOf(model), search);
      } catch (error) {
        // the database compares them itself meanwhile
        log.warn({ err: error }, "the vector index does not answer");
        return undefined;
      }
    },
    async keepInStep(signal) {
      const model = await activeModel(db);
      const { chunks, state } = await stateOfSets(db);
      const found = `${model?.id} ${state}`;
      if (found === seen) return;
      if (
        !model ||
        chunks <= MIN_CHUNKS ||
        chunks > mostInMemory(memoryBytes(), model.dimensions)
      ) {
        await close();
        await rm(folder, { recursive: true, force: true });
      } else {
        const opened = await threadOf(model);
        const wanted = await setsInUse(db);
        await opened.thread.ask({ kind: "keep", wanted });
        await fill(opened, wanted);
      }
      if (!signal.aborted) seen = found;
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      await filling;
      await close();
    },
  };
}

const KEEP_INTERVAL_MS = 60_000;

export function keepVectorIndex(index: VectorIndex): Job {
  return {
    name: "keep-vector-index",
    intervalMs: KEEP_INTERVAL_MS,
    replicas: "each",
    atStart: { waitMs: 0 },
    onFailure:
      "the vectors in memory are those of the last run, and searches read what they lack. " +
      "Check the database and the disk.",
    run: (signal) => index.keepInStep(signal),
  };
}
