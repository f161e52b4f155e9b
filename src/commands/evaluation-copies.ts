import { uuidv7 } from "uuidv7";
import { call, type Fetch } from "../platform/http/call.ts";
import { allItems, type PageQuery } from "../platform/http/page.ts";
import { ApiError } from "../platform/http/errors.ts";
import { documentsContract } from "../services/documents/contract.ts";
import { embeddingContract } from "../services/embedding/contract.ts";
import type { Expected } from "../services/retrieval/contract-evaluation.ts";
import { deleteAbandonedCopies, keepMarked } from "./abandoned-copies.ts";
import type { EvaluatedChunking } from "./evaluation-options.ts";
import { uploadFile } from "./upload-file.ts";

/** Copies of documents that are cut in another way; disposing deletes them. */
export interface Copies extends AsyncDisposable {
  /** The ids of the copies, by those of the originals. */
  ids: ReadonlyMap<string, string>;
}

const TIMEOUT_MS = 600_000;

/**
 * Finds the documents that are expected, by their ids or names.
 * @throws Error that names what there is not.
 */
export async function findExpected(
  client: Fetch,
  expected: readonly Expected[],
): Promise<Map<Expected, string>> {
  const byName = new Map<string, string | undefined>();
  const found = new Map<Expected, string>();
  for (const one of expected) {
    const { documentId, fileName } = one;
    if (documentId === undefined && fileName === undefined)
      throw new Error(
        "With --chunkings, name the document of each passage: documentId or fileName.",
      );
    if (fileName !== undefined && !byName.has(fileName))
      byName.set(fileName, await findByName(client, fileName));
    const id = documentId ?? byName.get(fileName ?? "");
    if (id === undefined)
      throw new Error(`There is no document "${fileName}" that you may read.`);
    found.set(one, id);
  }
  return found;
}

async function findByName(client: Fetch, fileName: string): Promise<string | undefined> {
  const query = fileName.slice(0, 200);
  const readOne = (page: PageQuery) =>
    call(client, documentsContract.list, { query: { ...page, query } });
  for await (const document of allItems(readOne))
    if (document.fileName === fileName) return document.id;
  return undefined;
}

/** Copies the texts of documents into a folder of their own and cuts them in another way. */
export async function makeCopies(
  client: Fetch,
  ids: readonly string[],
  chunking: NonNullable<EvaluatedChunking>,
  signal: AbortSignal,
): Promise<Copies> {
  const name = `Evaluation ${uuidv7()}`;
  const folder = await call(client, documentsContract.createFolder, { body: { name } });
  const folderId = folder.id;
  const unmark = keepMarked(client, folder);
  const copies = new Map<string, string>();
  const deleteAll = async () => {
    unmark();
    for (const id of copies.values())
      await call(client, documentsContract.remove, { params: { id } });
    await call(client, documentsContract.deleteFolder, { params: { id: folderId } });
  };
  try {
    await deleteAbandonedCopies(client, folder);
    for (const id of ids) {
      signal.throwIfAborted();
      const text = await readMarkdown(client, id);
      const stub = new Blob([`Copy of the document ${id} for ${name}`]);
      const copy = await uploadFile(client, stub, `copy of ${id}.txt`, folderId);
      copies.set(id, copy.id);
      await stopAttempt(client, copy.id);
      const body = { documentId: copy.id, text, ...chunking };
      await call(
        client,
        embeddingContract.process,
        { body },
        { signal, timeoutMs: TIMEOUT_MS },
      );
    }
  } catch (error) {
    await deleteAll();
    throw error;
  }
  return { ids: copies, [Symbol.asyncDispose]: deleteAll };
}

/** The index of the uploaded bytes must not replace that of the text. */
async function stopAttempt(client: Fetch, id: string): Promise<void> {
  try {
    await call(client, documentsContract.stop, { params: { id } });
  } catch (error) {
    // it has ended already
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

async function readMarkdown(client: Fetch, id: string): Promise<string> {
  const path = documentsContract.markdown.path.replace(":id", id);
  const response = await client(new Request(`http://documents${path}`));
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(
    `The text of the document ${id} could not be read: ${text.slice(0, 500)}`,
  );
}
