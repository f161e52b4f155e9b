import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, NotFound, Unavailable } from "../../../platform/http/errors.ts";
import { documentsContract } from "../../documents/contract.ts";
import {
  type FoundLines,
  type ListedTexts,
  MAX_NAMED_DOCUMENTS,
  type TextLines,
} from "../../documents/contract-texts.ts";

const TIMEOUT_MS = 60_000;
const RETRY_AFTER_MS = 30_000;

/** Documents of a run: these, or with null all that the user may see. */
interface TextScope {
  userId: string;
  docIds: readonly string[] | null;
  /** Of the conversation, which are not among all that the user may see. */
  attached?: readonly string[];
}

/** The whole texts of documents, as far as a user may see them. */
export interface Texts {
  list(
    scope: TextScope,
    asked: { query?: string | undefined; offset: number; limit: number },
    signal: AbortSignal,
  ): Promise<ListedTexts>;
  /** @throws NotFound `document_not_found`, Conflict `not_parsed_yet`. */
  read(
    scope: TextScope,
    asked: { id: string; from: number; lines: number },
    signal: AbortSignal,
  ): Promise<TextLines>;
  find(
    scope: TextScope,
    asked: { words: string[]; limit: number },
    signal: AbortSignal,
  ): Promise<FoundLines>;
}

export function createTexts(documents: Fetch): Texts {
  const bodyOf = ({ userId, docIds, attached = [] }: TextScope) => ({
    userId,
    ...(docIds
      ? { ids: docIds.slice(0, MAX_NAMED_DOCUMENTS) }
      : { alsoIds: attached.slice(0, MAX_NAMED_DOCUMENTS) }),
  });
  return {
    list: (scope, asked, signal) =>
      call(
        documents,
        documentsContract.listTexts,
        { body: { ...bodyOf(scope), ...asked } },
        { signal, timeoutMs: TIMEOUT_MS },
      ).catch(unavailable(signal)),
    async read({ userId, docIds }, asked, signal) {
      if (docIds && !docIds.includes(asked.id)) throw notAmongThem();
      return call(
        documents,
        documentsContract.readLines,
        { body: { userId, ...asked } },
        { signal, timeoutMs: TIMEOUT_MS },
      ).catch(unavailable(signal));
    },
    find: (scope, asked, signal) =>
      call(
        documents,
        documentsContract.findLines,
        { body: { ...bodyOf(scope), ...asked } },
        { signal, timeoutMs: TIMEOUT_MS },
      ).catch(unavailable(signal)),
  };
}

function unavailable(signal: AbortSignal) {
  return (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status < 500) throw error;
    throw textsUnavailable(error);
  };
}

export function textsUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "texts_unavailable",
    "The documents cannot be read now. Ask again in a moment.",
    RETRY_AFTER_MS,
    { cause },
  );
}

function notAmongThem(): NotFound {
  return new NotFound(
    "document_not_found",
    "This is none of the documents of this conversation or agent. Choose one that " +
      "list_documents names.",
  );
}
