import { call, type Fetch } from "../../../platform/http/call.ts";
import { NotFound, TooLarge, Unavailable } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import type { FlowRun } from "../providers/provider.ts";

const TIMEOUT_MS = 30_000;
/** Of all files of one run together: they pass through this process's memory. */
const LARGEST = 32 * 2 ** 20;

export type ReadFiles = (
  userId: string,
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<FlowRun["files"]>;

/**
 * Bytes of documents that the user may see, to go into a flow. `documents`: absent where there is
 * no documents service.
 * @throws NotFound `document_not_found`, TooLarge `files_too_large`, Unavailable
 * `documents_unavailable`.
 */
export function fileReader(documents: Fetch | undefined): ReadFiles {
  return async (userId, ids, signal) => {
    if (ids.length === 0) return [];
    if (!documents)
      throw new Unavailable(
        "documents_unavailable",
        "There is no documents service here, so no files can go along. Send the text itself.",
      );
    const wanted = [...new Set(ids)];
    const found = await call(
      documents,
      documentsContract.resolve,
      { body: { userId, ids: wanted } },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    if (found.length < wanted.length)
      throw new NotFound("document_not_found", "There is no such document that you may see.");
    if (found.reduce((sum, { size }) => sum + size, 0) > LARGEST)
      throw new TooLarge(
        "files_too_large",
        `The files of one run may have ${LARGEST} bytes together. Send fewer.`,
      );
    const files: { name: string; mimeType: string; bytes: Uint8Array }[] = [];
    for (const { id, fileName, mimeType } of found) {
      const path = documentsContract.content.path.replace(":id", id);
      const response = await documents(
        new Request(`http://documents${path}`, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        }),
      );
      if (!response.ok) throw new NotFound("document_not_found", "A document is gone.");
      files.push({ name: fileName, mimeType, bytes: new Uint8Array(await response.arrayBuffer()) });
    }
    return files;
  };
}
