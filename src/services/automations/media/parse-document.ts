import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { BadGateway, BadRequest } from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { documentsContract } from "../../documents/contract.ts";
import { type HeldReading, saveDocument } from "./reading-store.ts";
import type { Medium, ReadResult } from "./work-reading.ts";

interface Deps {
  db: Database;
  files: Files;
  /** Undefined without a documents service. */
  documents: Fetch | undefined;
}

const POLL_INTERVAL_MS = 2_000;
const RESPONSE_LIMIT = { maxBytes: 1024 * 1024 };
const UPLOAD_TIMEOUT_MS = 120_000;
const MAX_MARKDOWN_BYTES = 20 * 2 ** 20;

/**
 * Returns a function that reads a document through the documents service: it uploads the medium as
 * a document of the user, and asks again until the document is parsed.
 * @throws BadRequest with the parser's reason.
 */
export function createDocumentParser({ db, files, documents }: Deps) {
  return async (
    medium: Medium,
    reading: HeldReading,
    signal: AbortSignal,
  ): Promise<ReadResult> => {
    if (!documents)
      throw new BadRequest(
        "documents_unavailable",
        "No documents service is running, so documents cannot be read. " +
          "Send text, or ask an administrator.",
      );
    const { userId, clientId, medium: facts } = medium;
    if (medium.documentId === null) {
      const query = new URLSearchParams({ userId, clientId, fileName: facts.filename });
      const request = new Request(
        `http://documents${documentsContract.uploadFor.path}?${query}`,
        {
          method: "POST",
          headers: { "content-type": facts.mimeType },
          body: await files.read(medium.storageKey),
          duplex: "half",
          signal: AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_TIMEOUT_MS)]),
        } as RequestInit,
      ); // the type lacks `duplex`, which a stream needs
      const response = await documents(request);
      const result = (await readJson(response, RESPONSE_LIMIT)) as {
        id?: string;
        code?: string;
        error?: string;
      };
      if (!response.ok || !result.id) throw toUploadError(response.status, result);
      await saveDocument(db, reading, result.id);
      return { waitMs: POLL_INTERVAL_MS };
    }
    const [document] = await call(
      documents,
      documentsContract.resolve,
      { body: { userId, ids: [medium.documentId] } },
      { signal, timeoutMs: 10_000 },
    );
    if (!document)
      throw new BadRequest(
        "document_gone",
        "The document of this medium was deleted. Send the medium again.",
      );
    if (document.parsing !== null)
      return {
        transcript: await readMarkdown(documents, document.id, signal),
        ...pickLanguage(document.parsing),
      };
    if (document.status === "FAILED")
      throw new BadRequest(
        document.error?.code ?? "document_failed",
        document.error?.message ??
          "The document could not be read. Send it in another format.",
      );
    return { waitMs: POLL_INTERVAL_MS };
  };
}

async function readMarkdown(
  documents: Fetch,
  id: string,
  signal: AbortSignal,
): Promise<string> {
  const url = `http://documents${documentsContract.markdown.path.replace(":id", id)}`;
  const response = await documents(
    new Request(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) }),
  );
  if (!response.ok)
    throw new BadGateway(
      "document_not_readable",
      "The parsed document could not be read. Try again; if this repeats, ask an " +
        "administrator.",
    );
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_MARKDOWN_BYTES) break;
  }
  return text;
}

function pickLanguage({ language }: { language?: string | undefined }): {
  language?: string;
} {
  return language === undefined ? {} : { language };
}

/** A refusal of the file is final and for the user; a failure of the service is retried. */
function toUploadError(
  status: number,
  {
    code = "document_refused",
    error = "The document was refused.",
  }: { code?: string; error?: string },
) {
  return status >= 500 ? new BadGateway(code, error) : new BadRequest(code, error);
}
