import { setTimeout as sleep } from "node:timers/promises";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import { documentsContract } from "../../documents/contract.ts";
import { tableKind } from "../../parser/tables/contract.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { retrievalContract } from "../../retrieval/contract.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import { describePlace, statedPage } from "../../embedding/contract-places.ts";
import type { NothingFound, RetrieveResult } from "../../retrieval/contract-retrieve.ts";
import type { Rerank } from "../agents/contract-definition.ts";
import { describeNotFound, type NotFound, type Source } from "./contract.ts";

export type Passage = Omit<Source, "index">;

export interface PassageQuery {
  query: string;
  /** Only documents that this user may see are searched. */
  userId: string;
  /** The documents to search; null: all that the user may see. */
  docIds: string[] | null;
  /** Documents of the conversation. The search waits while they are being processed. */
  attached: string[];
  topK: number;
  grade: number;
  rerank?: Rerank | undefined;
}

const TIMEOUT_MS = 60_000;
const DOCUMENTS_TIMEOUT_MS = 10_000;
/** Of a passage that is named as the nearest. */
const MAX_QUOTED_CHARACTERS = 300;
/** How long to wait for a file that was just attached. */
const MAX_WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 250;
/** The documents service accepts at most this many ids at once. */
const MAX_IDS_PER_CALL = 500;
const RETRY_AFTER_MS = 30_000;

/**
 * @returns passages, best first, or why there are none, and the names of attached documents that
 * could not be searched.
 * @throws Unavailable `retrieval_unavailable`.
 */
export type PassageFinder = (
  query: PassageQuery,
  signal: AbortSignal,
) => Promise<FoundPassages>;

export interface FoundPassages {
  passages: Passage[];
  notReady: string[];
  /** Of all that was searched; only where the documents are named. */
  searched?: number | undefined;
  /** Only where there are no passages. */
  notFound?: NotFound | undefined;
}

export function passageFinder(documents: Fetch, retrieval: Fetch): PassageFinder {
  return async (ask, signal) => {
    const attached = await settled(documents, ask.userId, ask.attached, signal);
    const notReady = attached
      .filter((document) => document.status !== "PROCESSED" && !isTable(document))
      .map(({ fileName }) => fileName);
    const others = (ask.docIds ?? []).filter((id) => !ask.attached.includes(id));
    const named = ask.docIds && [
      ...attached,
      ...(await resolve(documents, ask.userId, others, signal)),
    ];
    const docIds = named && named.map(({ id }) => id);
    const unavailable = (ask.docIds?.length ?? 0) - (docIds?.length ?? 0);
    if (docIds?.length === 0)
      return { passages: [], notReady, notFound: nothingToSearch(unavailable) };
    const { query, userId, topK, grade, rerank } = ask;
    try {
      const { results, notFound } = await call(
        retrieval,
        retrievalContract.retrieve,
        {
          query: { window: 0 },
          body: {
            query,
            grade,
            similarityTopK: topK,
            engineName: "hybrid",
            userId,
            ...(docIds ? { docIds } : { alsoDocIds: attached.map(({ id }) => id) }),
            ...(rerank && { rerank: { ...rerank, strategy: rerank.strategy ?? "bge" } }),
          },
        },
        { signal, timeoutMs: TIMEOUT_MS },
      );
      const passages = results.map(toPassage);
      return {
        passages,
        notReady,
        searched: named?.reduce((sum, { indexing }) => sum + (indexing?.chunks ?? 0), 0),
        notFound: notFound && toNotFound(notFound, unavailable),
      };
    } catch (error) {
      if (error instanceof ApiError && error.status >= 500)
        throw retrievalUnavailable(error);
      throw error;
    }
  };
}

/** Tools compute over tables, which need not be searchable for that. */
function isTable({ mimeType, fileName }: StoredDocument): boolean {
  return tableKind(mimeType, fileName) !== undefined;
}

/**
 * Waits until none of the documents is in progress or the time is over. @returns those that the
 * user may see.
 */
async function settled(
  documents: Fetch,
  userId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const found = await resolve(documents, userId, ids, signal);
    const isInProgress = found.some(
      (document) =>
        document.status !== "PROCESSED" &&
        document.status !== "FAILED" &&
        !isTable(document),
    );
    if (!isInProgress || performance.now() > until) return found;
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** Returns those of the documents that the user may see. */
async function resolve(
  documents: Fetch,
  userId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (const some of inGroups(ids, MAX_IDS_PER_CALL)) {
    const body = { userId, ids: some };
    found.push(
      ...(await call(
        documents,
        documentsContract.resolve,
        { body },
        { signal, timeoutMs: DOCUMENTS_TIMEOUT_MS },
      )),
    );
  }
  return found;
}

function nothingToSearch(unavailable: number): NotFound {
  const reason = unavailable > 0 ? "not_available" : "no_documents";
  return { reason, waiting: [], waitingCount: 0, unavailable, nearest: [] };
}

function toNotFound(
  { reason, waiting, waitingCount, unavailable, nearest }: NothingFound,
  unavailableHere: number,
): NotFound {
  return {
    reason,
    waiting: waiting.map(({ fileName }) => fileName),
    waitingCount,
    unavailable: unavailable + unavailableHere,
    nearest: nearest.map(toPassage),
  };
}

function toPassage({ content, score, metadata }: RetrieveResult): Passage {
  const { documentId, fileName, place, chunkIndex } = metadata;
  const pageNumber = statedPage(metadata);
  return { documentId, fileName, pageNumber, place, chunkIndex, score, content };
}

export function retrievalUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "retrieval_unavailable",
    "The documents cannot be searched now. Ask again in a moment, or ask an administrator whether " +
      "the retrieval service runs.",
    RETRY_AFTER_MS,
    { cause },
  );
}

/** Tells a model why nothing was found, and what is nearest: to offer, not to answer from. */
export function notFoundText(notFound: NotFound): string {
  const { nearest } = notFound;
  const why = describeNotFound(notFound);
  if (nearest.length === 0) return why;
  const offered = nearest.map(({ fileName, place, pageNumber, content }) => {
    const where = describePlace(place, pageNumber);
    const quoted = shortenText(content.replace(/\s+/g, " ").trim(), MAX_QUOTED_CHARACTERS);
    return `- “${fileName}”${where === undefined ? "" : `, ${where}`}: ${quoted}`;
  });
  return (
    `${why} Nearest, though below the threshold; name these documents to the user as where to ` +
    `look, and do not answer from them:\n${offered.join("\n")}`
  );
}
