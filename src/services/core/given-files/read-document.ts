import { call, type Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound, Unavailable } from "../../../platform/http/errors.ts";
import { readBounded } from "../../../platform/outgoing/bounded-body.ts";
import { SEEN_IMAGES } from "../../completion/contract-model-kinds.ts";
import { documentsContract } from "../../documents/contract.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { asText, MAX_TEXT_BYTES, PDF, PLAIN, type ReadFile, tooLarge } from "./as-text.ts";

const MAX_PICTURE_BYTES = 10 * 2 ** 20;
const RESOLVE_TIMEOUT_MS = 10_000;

interface AskedDocument {
  id: string;
  /** The most bytes of a PDF that goes as it is. */
  most: number;
  pdf: (data: string, name: string) => ReadFile | undefined;
}

/**
 * What a model reads of a document of the user.
 * @throws NotFound `document_not_found`, Conflict `not_parsed_yet`, BadRequest
 * `given_file_too_large`, Unavailable `documents_unavailable`.
 */
export async function readDocument(
  { documents }: { documents: Fetch | undefined },
  { userId }: User,
  { id, most: mostOfPdf, pdf }: AskedDocument,
  signal: AbortSignal,
): Promise<ReadFile> {
  if (!documents) throw documentsUnavailable();
  const [document] = await call(
    documents,
    documentsContract.resolve,
    { body: { userId, ids: [id] } },
    { signal, timeoutMs: RESOLVE_TIMEOUT_MS },
  );
  if (!document) throw fileNotFound();
  const { fileName, mimeType, size, parsing } = document;
  const fetchBytes = (path: string, most: number) =>
    readDocumentBytes(documents, { path, document, most }, signal);
  if (SEEN_IMAGES.includes(mimeType)) {
    const bytes = await fetchBytes(documentsContract.content.path, MAX_PICTURE_BYTES);
    return { picture: `data:${mimeType};base64,${bytes.toString("base64")}` };
  }
  if (PLAIN.test(mimeType) && size <= MAX_TEXT_BYTES) {
    const bytes = await fetchBytes(documentsContract.content.path, MAX_TEXT_BYTES);
    return asText(fileName, new TextDecoder().decode(bytes));
  }
  if (mimeType === PDF && size <= mostOfPdf) {
    const bytes = await fetchBytes(documentsContract.content.path, mostOfPdf);
    const file = pdf(bytes.toString("base64"), fileName);
    if (file) return file;
  }
  if (!parsing) throw notReady(document);
  const bytes = await fetchBytes(documentsContract.markdown.path, MAX_TEXT_BYTES);
  return asText(fileName, new TextDecoder().decode(bytes).replaceAll("\f", "\n\n"));
}

/** @throws NotFound `document_not_found`, BadRequest `given_file_too_large`. */
export async function readDocumentBytes(
  documents: Fetch,
  {
    path,
    document: { id, fileName },
    most,
  }: { path: string; document: Pick<StoredDocument, "id" | "fileName">; most: number },
  signal: AbortSignal,
): Promise<Buffer> {
  const url = `http://documents${path.replace(":id", id)}`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_TIMEOUT_MS)]);
  const response = await documents(new Request(url, { signal: limit }));
  if (!response.ok) throw fileNotFound();
  return readBounded(response, most, () => tooLarge(fileName, most));
}

function documentsUnavailable(): Unavailable {
  return new Unavailable(
    "documents_unavailable",
    "There is no documents service here, so no file can be named. Send the file itself.",
  );
}

function fileNotFound(): NotFound {
  return new NotFound(
    "document_not_found",
    "There is no such file that you may see. Upload it again.",
  );
}

function notReady({ fileName, error }: StoredDocument): Conflict {
  return new Conflict(
    "not_parsed_yet",
    error
      ? `"${fileName}" could not be read: ${error.message}`
      : `"${fileName}" has not been read yet. Wait a moment, then send it again.`,
  );
}
