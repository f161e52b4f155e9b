import type { Fetch } from "../../../platform/http/call.ts";
import { NotFound, Unavailable } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";

/**
 * Opens the file of a document as it was uploaded. The service that asks has checked the user.
 * @throws NotFound `document_not_found`, Unavailable `tables_unavailable`.
 */
export async function readDocument(
  documents: Fetch | undefined,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const url = `http://documents${documentsContract.content.path.replace(":id", id)}`;
  const response = await documents?.(new Request(url, { signal }));
  if (response?.status === 404)
    throw new NotFound(
      "document_not_found",
      "There is no such document, or you may not see it. GET /api/v1/documents lists yours.",
    );
  if (!response?.ok || !response.body)
    throw new Unavailable(
      "tables_unavailable",
      "The tables cannot be read now. Ask again in a moment.",
      10_000,
    );
  return response.body;
}
