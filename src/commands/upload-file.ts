import type { Fetch } from "../platform/http/call.ts";
import { ApiError } from "../platform/http/errors.ts";
import { documentsContract } from "../services/documents/contract.ts";
import { UploadedDocument } from "../services/documents/contract-stored.ts";

const UPLOAD_TIMEOUT_MS = 600_000;

/** Uploads a file into a folder, or to the top. @throws ApiError, as the server says it. */
export async function uploadFile(
  client: Fetch,
  file: Blob,
  name: string,
  folderId: string | undefined,
): Promise<UploadedDocument> {
  const form = new FormData();
  if (folderId) form.set("folderId", folderId);
  form.set("file", file, name);
  const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
  const response = await client(
    new Request(`http://documents${documentsContract.upload.path}`, {
      method: "POST",
      body: form,
      signal,
    }),
  );
  const body: unknown = await response.json();
  if (response.ok) return UploadedDocument.parse(body);
  const { error, code } = body as { error?: string; code?: string };
  throw new ApiError(
    response.status,
    code ?? "upload_failed",
    error ?? `The upload failed with status ${response.status}.`,
  );
}
