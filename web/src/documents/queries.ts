import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import type { Folder } from "../../../src/services/documents/contract-folders.ts";
import { call } from "../api/call.ts";
import { request, urlOf } from "../api/request.ts";
import { upload, type UploadOptions } from "../api/upload.ts";
import { pagedQuery } from "../shell/paged.ts";
import { readPages } from "../shell/read-pages.ts";
import type { Sorting } from "./sorting.ts";
import { tablesContract } from "../../../src/services/core/tables/contract.ts";
import { pagesContract } from "../../../src/services/core/web/contract.ts";
import { useChange } from "../shell/use-change.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { useDocumentTexts } from "./texts.ts";

const PAGE = 50;
const MAX_FOLDERS = 100;
const POLL_MS = 2_000;

export type StoredDocument = RouteOk<typeof documentsContract.get>;
export type FolderChange = RouteInput<typeof documentsContract.changeFolder>["body"];
export type DocumentChange = RouteInput<typeof documentsContract.change>["body"];

/** The filters of a list of documents. */
export interface Filter {
  folderId?: string | undefined;
  status?: StoredDocument["status"] | undefined;
  q?: string | undefined;
  sorting?: Sorting;
  /** Files that were given to conversations, instead of documents. */
  isAttached?: boolean;
}

export const isBeingProcessed = ({ status }: StoredDocument) =>
  status !== "PROCESSED" && status !== "FAILED";

/** While a document of the list is being processed, the list is fetched again. */
export function documentsQuery({ folderId, status, q, sorting = {}, isAttached }: Filter) {
  const { sort, order } = sorting;
  const scope = isAttached ? ("attachments" as const) : undefined;
  const list = pagedQuery({
    queryKey: ["documents", "list", folderId ?? ""],
    filter: [status, q, sort, order, scope],
    load: (page, signal) =>
      call(
        documentsContract.list,
        { query: { page, limit: PAGE, folderId, scope, status, query: q, sort, order } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
  return infiniteQueryOptions({
    ...list,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isBeingProcessed)) ? POLL_MS : false,
  });
}

export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "one", id],
    queryFn: ({ signal }) => call(documentsContract.get, { params: { id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data && isBeingProcessed(state.data) ? POLL_MS : false,
  });
}

export function foldersQuery(parentId: string | undefined) {
  return queryOptions({
    queryKey: ["documents", "folders", parentId ?? ""],
    queryFn: ({ signal }) =>
      call(
        documentsContract.listFolders,
        { query: { parentId, limit: MAX_FOLDERS } },
        { signal },
      ),
  });
}

/** One's own folders whose name contains the words. */
export function findFoldersQuery(words: string) {
  return queryOptions({
    queryKey: ["documents", "folders", "found", words],
    queryFn: ({ signal }) =>
      call(
        documentsContract.listFolders,
        { query: { query: words, limit: MAX_FOLDERS } },
        { signal },
      ),
    enabled: words !== "",
  });
}

export function folderQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "folder", id, "itself"],
    queryFn: ({ signal }) =>
      call(documentsContract.getFolder, { params: { id } }, { signal }),
  });
}

/** The name of a folder; undefined if the user may not see it. */
export function folderNameQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "folder", id, "name"],
    queryFn: async ({ signal }) => {
      const [folder] = await call(
        documentsContract.titles,
        { query: { ids: id } },
        { signal },
      );
      return folder?.title ?? "";
    },
  });
}

export const summaryQuery = queryOptions({
  queryKey: ["documents", "summary"],
  queryFn: ({ signal }) => call(documentsContract.summary, {}, { signal }),
});

/** The pages of a document, as Markdown. */
export function pagesQuery(id: string, isReady: boolean) {
  return queryOptions({
    queryKey: ["documents", "pages", id],
    async queryFn({ signal }) {
      const input = { params: { id } };
      const response = await request(documentsContract.markdown, input, { signal });
      return (await response.text()).split("\f");
    },
    enabled: isReady,
  });
}

export function chunksQuery(id: string, isReady: boolean) {
  return pagedQuery({
    queryKey: ["documents", "chunks", id],
    load: (page, signal) =>
      call(
        documentsContract.chunks,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: (chunk) => chunk.id,
    enabled: isReady,
  });
}

export function uploadDocument(file: File, options: UploadOptions) {
  return upload(documentsContract.upload, file, options);
}

export function changeDocument(id: string, body: DocumentChange) {
  return call(documentsContract.change, { params: { id }, body });
}

export function deleteDocument(id: string) {
  return call(documentsContract.remove, { params: { id } });
}

export function reprocessDocument(id: string, password?: string) {
  const body = { from: "parsing" as const, ...(password && { password }) };
  return call(documentsContract.reprocess, { params: { id }, body });
}

export function stopDocument(id: string) {
  return call(documentsContract.stop, { params: { id } });
}

export function skipDocument(id: string) {
  return call(documentsContract.skip, { params: { id } });
}

/** Of which documents: those of a folder, or that a search finds. */
export type FailedOf = Pick<Filter, "folderId" | "q">;

/** As many as a page of a list may have. */
const FAILED_PAGE = 100;
/** More are processed again by another click. */
const MAX_FAILED = 1_000;

function readFailed(
  { folderId, q }: FailedOf,
  range: { page?: number; limit: number },
  signal?: AbortSignal,
) {
  // a search in all folders finds what others share, too, which is theirs to process
  const scope = folderId === undefined ? ("own" as const) : undefined;
  const kind = { status: "FAILED", skipped: "false" } as const;
  const input = { query: { ...kind, folderId, query: q, scope, ...range } };
  return call(documentsContract.list, input, { signal });
}

/** Whether documents failed that are not to be left so. */
export function firstFailedQuery(of: FailedOf) {
  return queryOptions({
    queryKey: ["documents", "any-failed", of.folderId, of.q],
    async queryFn({ signal }) {
      const { total } = await readFailed(of, { limit: 1 }, signal);
      return total > 0;
    },
  });
}

/** The documents that failed and are not to be left so. */
export async function listFailed(of: FailedOf): Promise<StoredDocument[]> {
  return readPages((page) => readFailed(of, { page, limit: FAILED_PAGE }), MAX_FAILED);
}

export function createFolder(name: string, parentId: string | null): Promise<Folder> {
  return call(documentsContract.createFolder, { body: { name, parentId } });
}

export function changeFolder(id: string, body: FolderChange) {
  return call(documentsContract.changeFolder, { params: { id }, body });
}

export function deleteFolder(id: string) {
  return call(documentsContract.deleteFolder, { params: { id } });
}

function markdownQuery(documentId: string) {
  return queryOptions({
    queryKey: ["document", documentId, "text"],
    async queryFn({ signal }) {
      const input = { params: { id: documentId } };
      return (await request(documentsContract.markdown, input, { signal })).text();
    },
    staleTime: Infinity,
  });
}

/** The text of a part of a document, such as a page; all of it where the part is not known. */
export function partTextQuery(documentId: string, part: number | null) {
  return queryOptions({
    ...markdownQuery(documentId),
    select: (text) =>
      part === null ? text.replaceAll("\f", "\n\n") : (text.split("\f")[part - 1] ?? text),
  });
}

/** How many parts the text of a document has, such as pages. */
export function partCountQuery(documentId: string) {
  return queryOptions({
    ...markdownQuery(documentId),
    select: (text) => text.split("\f").length,
  });
}

/** How many pages a PDF file has, by the page that is open, or the one before it. */
export function pageCountQuery(id: string, page: number) {
  return queryOptions({
    ...originalPageQuery(id, page),
    placeholderData: (known, query) => (query?.queryKey[1] === id ? known : undefined),
    select: ({ pages }) => pages,
  });
}

/** How large a page of a PDF file is, and where its words stand. */
export function originalPageQuery(id: string, page: number) {
  return queryOptions({
    queryKey: ["document", id, "original", page],
    queryFn: ({ signal }) =>
      call(documentsContract.originalPage, { params: { id, page } }, { signal }),
    staleTime: Infinity,
  });
}

/** Where the picture of a page is. */
export function pictureAddress(id: string, page: number): string {
  return urlOf(documentsContract.pagePicture.path, { params: { id, page } });
}

/** Whether a page of the web still has these words. */
export function pageNowQuery(url: string, content: string) {
  return queryOptions({
    queryKey: ["page-now", url, content],
    queryFn: ({ signal }) =>
      call(pagesContract.compareWebPage, { body: { url, content } }, { signal }),
    retry: false,
    staleTime: 60_000,
  });
}

/** All rows of a query over tables of documents, as CSV. */
export async function readRows(documentIds: string[], sql: string): Promise<string> {
  const response = await request(tablesContract.exportTable, {
    body: { documentIds, sql },
  });
  return response.text();
}

/** Where the file itself is. */
export function contentAddress(documentId: string): string {
  return urlOf(documentsContract.content.path, { params: { id: documentId } });
}

export const DOCUMENT_KEYS = [["documents"]];

/** Changes documents or folders, then reads again what is shown of them. */
export function useDocumentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: DOCUMENT_KEYS, onDone });
}

/** Makes a file that was given to a conversation a document. */
export function useKeeping(id: string) {
  const texts = useDocumentTexts();
  const change = useDocumentChange(
    () => changeDocument(id, { isAttachment: false }),
    () => notify(texts.kept),
  );
  return { ...change, mutate: () => change.mutate(undefined, { onError: notifyFailure }) };
}

/**
 * Runs a step of processing. A failure is shown as a notice, because the row has no space for it.
 */
export function useProcessing() {
  const change = useDocumentChange((run: () => Promise<unknown>) => run());
  return {
    mutate: (run: () => Promise<unknown>) =>
      change.mutate(run, {
        onError: notifyFailure,
      }),
  };
}
