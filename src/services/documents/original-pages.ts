import type { Cache, Limit } from "../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../platform/cache/take-or-refuse.ts";
import type { Database } from "../../platform/db/database.ts";
import { call, callForFile, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import {
  TooManyRequests,
  Unavailable,
  UnsupportedType,
} from "../../platform/http/errors.ts";
import { matchesEtag } from "../../platform/http/fixed-answer.ts";
import { type OriginalPage, originalContract } from "../parser/original/contract.ts";
import { type Access } from "./access.ts";
import { documentNotFound } from "./contract-not-found.ts";
import type { StoredDocument } from "./contract-stored.ts";
import { requireDocument } from "./find-permitted.ts";
import { findProcessable } from "./processing-store.ts";

interface Deps {
  db: Database;
  access: Access;
  cache: Cache;
  /** Draws pages; undefined when there is none. */
  parser: Fetch | undefined;
}

interface AskedPage {
  id: string;
  page: number;
}

/** A page is two requests: its words and its picture. */
const MAX_PAGES = 120;
export const LIMIT: Limit = {
  name: "documents-pages",
  points: 2 * MAX_PAGES,
  durationMs: 60_000,
};
/** Large files are copied first, and others may be in turn. */
const TIMEOUT_MS = 60_000;
const PDF = "application/pdf";

/**
 * How large a page of a PDF file is, and where its words stand.
 * @throws NotFound `document_not_found`, `page_not_found`; UnsupportedType `pages_not_shown`;
 * TooManyRequests `too_many_pages`; Unavailable without a parser; what the parser says of the file.
 */
export async function readOriginalPage(
  deps: Deps,
  user: User,
  asked: AskedPage,
  signal: AbortSignal,
): Promise<OriginalPage> {
  const document = await requirePdf(deps, user, asked.id);
  const { parser, body } = await prepare(deps, user, document, asked.page);
  const options = { signal, timeoutMs: TIMEOUT_MS };
  return call(parser, originalContract.readOriginalPage, { body }, options);
}

/** The page as PNG. @throws as `readOriginalPage`. */
export async function drawOriginalPage(
  deps: Deps,
  user: User,
  asked: AskedPage,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  const document = await requirePdf(deps, user, asked.id);
  const etag = `"${document.sha256}-${asked.page}"`;
  // the browser keeps the picture, and asks each time whether it may still be seen
  const headers = { etag, "cache-control": "private, no-cache" };
  if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers });
  const { parser, body } = await prepare(deps, user, document, asked.page);
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const drawn = await callForFile(
    parser,
    originalContract.drawOriginalPage,
    { body },
    options,
  );
  return new Response(drawn.body, { headers: { ...headers, "content-type": "image/png" } });
}

async function requirePdf(deps: Deps, user: User, id: string): Promise<StoredDocument> {
  await takeOrRefuse(deps.cache, LIMIT, user.userId, tooManyPages);
  const document = await requireDocument(deps, user, id, "viewer");
  if (document.mimeType !== PDF)
    throw new UnsupportedType(
      "pages_not_shown",
      "Only the pages of PDF files can be shown as they look. Read the text of this document.",
    );
  return document;
}

function tooManyPages(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_pages",
    `At most ${MAX_PAGES} pages a minute can be opened. Wait a moment, then try again.`,
    retryAfterMs,
    { params: { max: MAX_PAGES } },
  );
}

async function prepare(
  { db, parser }: Deps,
  { userId }: User,
  { id }: StoredDocument,
  page: number,
) {
  if (!parser)
    throw new Unavailable(
      "parser_unavailable",
      "Pages are drawn by the parser, which is not running. Ask your administrator.",
      10_000,
    );
  const stored = await findProcessable(db, id);
  if (!stored) throw documentNotFound();
  return { parser, body: { userId, storageKey: stored.storageKey, page } };
}
