import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { BadGateway, BadRequest } from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { documentsContract } from "../../documents/contract.ts";
import { type HeldReading, saveDocument } from "./reading-store.ts";
import type { Medium, Read } from "./work-reading.ts";

interface Deps {
  db: Database;
  files: Files;
  /** Absent where there is no documents service. */
  documents: Fetch | undefined;
}

const LOOK_MS = 2_000;
const MAX_ANSWER = { maxBytes: 1024 * 1024 };
const UPLOAD_MS = 120_000;
/** As much markdown as is read, in bytes. */
const MAX_MARKDOWN_BYTES = 20 * 2 ** 20;

/**
 * A document's words, by the documents service: it becomes one of the person's documents and is
 * parsed like any other. Asked again until it is. @throws BadRequest with the parser's reason.
 */
export function documentParser({ db, files, documents }: Deps) {
  return async (medium: Medium, reading: HeldReading, signal: AbortSignal): Promise<Read> => {
    if (!documents)
      throw new BadRequest(
        "documents_unavailable",
        "No documents service runs here, so documents cannot be read. Send text, or ask an administrator.",
      );
    const { userId, clientId, medium: facts } = medium;
    if (medium.documentId === null) {
      const query = new URLSearchParams({ userId, clientId, fileName: facts.filename });
      const request = new Request(`http://documents${documentsContract.uploadFor.path}?${query}`, {
        method: "POST",
        headers: { "content-type": facts.mimeType },
        body: await files.read(medium.storageKey),
        duplex: "half",
        signal: AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]),
      } as RequestInit); // `duplex` is missing in the type, and needed for a stream
      const response = await documents(request);
      const answer = (await readJson(response, MAX_ANSWER)) as {
        id?: string;
        code?: string;
        error?: string;
      };
      if (!response.ok || !answer.id) throw refused(response.status, answer);
      await saveDocument(db, reading, answer.id);
      return { waitMs: LOOK_MS };
    }
    const [document] = await call(
      documents,
      documentsContract.resolve,
      { body: { userId, ids: [medium.documentId] } },
      { signal, timeoutMs: 10_000 },
    );
    if (!document)
      throw new BadRequest("document_gone", "The document that was made of the medium is gone.");
    if (document.parsing !== null)
      return {
        transcript: await readMarkdown(documents, document.id, signal),
        ...languageIn(document.parsing),
      };
    if (document.status === "FAILED")
      throw new BadRequest(
        document.error?.code ?? "document_failed",
        document.error?.message ?? "The document could not be read.",
      );
    return { waitMs: LOOK_MS };
  };
}

async function readMarkdown(documents: Fetch, id: string, signal: AbortSignal): Promise<string> {
  const url = `http://documents${documentsContract.markdown.path.replace(":id", id)}`;
  const response = await documents(
    new Request(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) }),
  );
  if (!response.ok)
    throw new BadGateway("document_not_readable", "The parsed document could not be fetched.");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_MARKDOWN_BYTES) break;
  }
  return text;
}

function languageIn({ language }: { language?: string | undefined }): { language?: string } {
  return language === undefined ? {} : { language };
}

/**
 * What the documents service says of a file is for the person; what it cannot do now may go another
 * time.
 */
function refused(
  status: number,
  {
    code = "document_refused",
    error = "The document was refused.",
  }: { code?: string; error?: string },
) {
  return status >= 500 ? new BadGateway(code, error) : new BadRequest(code, error);
}
