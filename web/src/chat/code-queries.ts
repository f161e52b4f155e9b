import { queryOptions } from "@tanstack/react-query";
import { codeContract, type FolderFile } from "../../../src/services/core/code/contract.ts";
import { call } from "../api/call.ts";
import { request, urlOf } from "../api/request.ts";
import { pagedQuery } from "../shell/paged.ts";
import { uploadDocument } from "./queries.ts";

const PAGE = 50;

export const filesKey = (conversationId: string) => ["conversation-files", conversationId];

/** What is in the folder of a conversation, the newest first. */
export function filesQuery(conversationId: string) {
  return pagedQuery<FolderFile>({
    queryKey: filesKey(conversationId),
    load: (page, signal) =>
      call(
        codeContract.conversationFiles,
        { params: { conversationId }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function deleteFile(conversationId: string, fileId: string) {
  return call(codeContract.deleteConversationFile, { params: { conversationId, fileId } });
}

/** Makes a file that code wrote a document of the person's, too. */
export async function addToDocuments({ id, name, mediaType }: FolderFile): Promise<void> {
  const response = await request(codeContract.conversationFile, { params: { fileId: id } });
  const last = name.split("/").at(-1) ?? name;
  await uploadDocument(new File([await response.blob()], last, { type: mediaType }), {});
}

/** Where a file that code wrote is. */
export function fileAddress(fileId: string): string {
  return urlOf(codeContract.conversationFile.path, { params: { fileId } });
}

/** Where a picture is shown: a label may forbid to download it, and not to see it. */
export function pictureAddress(fileId: string): string {
  const input = { params: { fileId }, query: { inline: true } };
  return urlOf(codeContract.conversationFile.path, input);
}

const PREVIEW_BYTES = 16_384;

/** The beginning of a file as text. */
export function fileStartQuery(fileId: string) {
  return queryOptions({
    queryKey: ["conversation-file", fileId, "start"],
    async queryFn({ signal }) {
      const headers = { range: `bytes=0-${PREVIEW_BYTES - 1}` };
      const input = { params: { fileId } };
      const options = { signal, headers };
      const response = await request(codeContract.conversationFile, input, options);
      return response.text();
    },
    staleTime: Infinity,
  });
}

export function isShownWhole(size: number): boolean {
  return size <= PREVIEW_BYTES;
}
