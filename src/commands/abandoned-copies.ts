import { call, type Fetch } from "../platform/http/call.ts";
import { allItems, type PageQuery } from "../platform/http/page.ts";
import { ApiError } from "../platform/http/errors.ts";
import { documentsContract } from "../services/documents/contract.ts";
import type { Folder } from "../services/documents/contract-folders.ts";

/** The folder of copies that no command has marked for this time is abandoned. */
const ABANDONED_AFTER_MS = 600_000;
const MARK_INTERVAL_MS = 60_000;
const PAGE_SIZE = 100;
const NAME = /^Evaluation [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Marks the folder of copies as in use, until the returned function is called. */
export function keepMarked(client: Fetch, { id, name }: Folder): () => void {
  const mark = () => {
    const options = { params: { id }, body: { name } };
    // without a mark or two, the folder is still not abandoned
    call(client, documentsContract.changeFolder, options).catch(() => {});
  };
  const timer = setInterval(mark, MARK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/**
 * Deletes copies that an evaluation left because its process was killed. Times are the server's:
 * those of a folder that was just created say how late it is there.
 */
export async function deleteAbandonedCopies(
  client: Fetch,
  { createdAt }: Folder,
): Promise<void> {
  const before = Date.parse(createdAt) - ABANDONED_AFTER_MS;
  for (const { id, name } of await findFolders(client, before))
    try {
      await deleteDocuments(client, id);
      await call(client, documentsContract.deleteFolder, { params: { id } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      console.error(
        `The folder "${name}" of an earlier evaluation was not deleted: ${error.message}`,
      );
    }
}

async function findFolders(client: Fetch, before: number): Promise<Folder[]> {
  const found: Folder[] = [];
  const readOne = (query: PageQuery) =>
    call(client, documentsContract.listFolders, { query });
  for await (const folder of allItems(readOne))
    if (NAME.test(folder.name) && Date.parse(folder.updatedAt) < before) found.push(folder);
  return found;
}

async function deleteDocuments(client: Fetch, folderId: string): Promise<void> {
  const query = { folderId, page: 1, limit: PAGE_SIZE };
  for (;;) {
    const { items } = await call(client, documentsContract.list, { query });
    for (const { id } of items)
      await call(client, documentsContract.remove, { params: { id } });
    if (items.length === 0) return;
  }
}
