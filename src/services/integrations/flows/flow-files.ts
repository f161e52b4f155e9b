import { call, type Fetch } from "../../../platform/http/call.ts";
import { NotFound, TooLarge, Unavailable } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import type { FlowRun } from "../providers/provider.ts";

const TIMEOUT_MS = 30_000;
/** The limit for all files of one run, which pass through this process's memory. */
const MAX_TOTAL_BYTES = 32 * 2 ** 20;

export type ReadFiles = (
  userId: string,
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<FlowRun["files"]>;

/**
 * Returns a function that reads documents of a user for a flow. `documents` is undefined without a
 * documents service.
 * @throws NotFound `document_not_found`, TooLarge `files_too_large`, Unavailable
 * `documents_unavailable`.
 */
export function createFileReader(documents: Fetch | undefined): ReadFiles {
  return async (userId, ids, signal) => {
    if (ids.length === 0) return [];
    if (!documents)
      throw new Unavailable(
        "documents_unavailable",
        "No documents service is running, so a flow cannot receive files. Send their text instead.",
      );
    const unique = [...new Set(ids)];
    const details = await call(
      documents,
      documentsContract.resolve,
      { body: { userId, ids: unique } },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    if (details.length < unique.length)
      throw new NotFound(
        "document_not_found",
        "A document does not exist or is not shared with you. Choose another one.",
      );
    if (details.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL_BYTES)
      throw new TooLarge(
        "files_too_large",
        `The files of one run may have ${MAX_TOTAL_BYTES} bytes together. Send fewer.`,
        { params: { maxBytes: MAX_TOTAL_BYTES } },
      );
    const files: { name: string; mimeType: string; bytes: Uint8Array }[] = [];
    for (const { id, fileName, mimeType } of details) {
      const path = documentsContract.content.path.replace(":id", id);
      const response = await documents(
        new Request(`http://documents${path}`, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        }),
      );
      if (!response.ok)
        throw new NotFound(
          "document_not_found",
          "A document was deleted. Choose another one.",
        );
      files.push({
        name: fileName,
        mimeType,
        bytes: new Uint8Array(await response.arrayBuffer()),
      });
    }
    return files;
  };
}
