import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { Conflict } from "../../platform/http/errors.ts";
import type { TextLayout } from "../parser/contract-jobs.ts";
import { type Access } from "./access.ts";
import { documentNotFound } from "./contract-not-found.ts";
import type { StoredDocument } from "./contract-stored.ts";
import type { FoundLines, Line, TextLines } from "./contract-texts.ts";
import { linesOf } from "./lines-of.ts";
import { findProcessable, layoutOf } from "./processing-store.ts";
import { findDocuments, listDocuments } from "./store.ts";

interface Deps {
  db: Database;
  access: Access;
  files: Files;
}

/** Documents of a user: these, or all that they may see. */
interface Scope {
  userId: string;
  ids?: string[] | undefined;
  /** Attachments, where all is meant. */
  alsoIds?: string[] | undefined;
}

/** Of one search, and of the characters that it reads. */
const MAX_SEARCHED = 200;
const MAX_SEARCHED_CHARACTERS = 30_000_000;
const MAX_LINES_OF_ONE = 20;
const MAX_UNREAD = 10;

/** The documents that a user may see, the last changed first. */
export async function listTexts(
  { db, access }: Deps,
  {
    userId,
    ids,
    alsoIds,
    query,
    limit,
    offset,
  }: Scope & {
    query?: string | undefined;
    limit: number;
    offset: number;
  },
) {
  const { items, total } = ids
    ? pageOf(await findVisible({ db, access }, userId, ids, query), limit, offset)
    : await listDocuments(
        db,
        {
          visible: {
            ownerId: userId,
            shared: await access.findShared({ userId }),
            attachments: alsoIds,
          },
          ...(query && { query }),
        },
        { sort: "updatedAt", order: "desc" },
        limit,
        offset,
      );
  const documents = items.map(
    ({ id, fileName, mimeType, size, parsing, status, updatedAt }) => ({
      id,
      fileName,
      mimeType,
      size,
      status,
      updatedAt,
      pages: parsing?.pages ?? null,
    }),
  );
  return { documents, total };
}

/**
 * Lines of a document, and how many it has.
 * @throws NotFound `document_not_found` where the user may not see it, Conflict `not_parsed_yet`.
 */
export async function readLines(
  deps: Deps,
  {
    userId,
    id,
    from,
    lines: count,
  }: { userId: string; id: string; from: number; lines: number },
  signal: AbortSignal,
): Promise<TextLines> {
  const [document] = await findVisible(deps, userId, [id]);
  if (!document) throw documentNotFound();
  const stored = await findProcessable(deps.db, id);
  if (!stored?.markdownKey)
    throw new Conflict(
      "not_parsed_yet",
      "The document has not been parsed yet. Check its status and try again.",
    );
  const lines: Line[] = [];
  let total = 0;
  for await (const some of linesOf(await deps.files.read(stored.markdownKey))) {
    signal.throwIfAborted();
    for (const line of some) {
      total = line.number;
      if (line.number >= from && lines.length < count) lines.push(line);
    }
  }
  const places = placesOf(lines, layoutOf(stored));
  return { id, fileName: document.fileName, lines, places, total };
}

/** Lines that have one of the words, in capitals or not. */
export async function findLines(
  deps: Deps,
  { words, limit, ...scope }: Scope & { words: readonly string[]; limit: number },
  signal: AbortSignal,
): Promise<FoundLines> {
  const { documents, total } = await listTexts(deps, {
    ...scope,
    limit: MAX_SEARCHED,
    offset: 0,
  });
  const found: FoundLines = {
    lines: [],
    more: total > documents.length,
    searched: 0,
    ids: [],
    unread: [],
  };
  const folded = words.map(fold);
  let room = MAX_SEARCHED_CHARACTERS;
  for (const { id, fileName } of documents) {
    const key = (await findProcessable(deps.db, id))?.markdownKey;
    if (!key) {
      if (found.unread.length < MAX_UNREAD) found.unread.push(fileName);
      found.ids.push(id);
      continue;
    }
    if (room <= 0 || found.lines.length >= limit) {
      found.more = true;
      break;
    }
    found.searched += 1;
    found.ids.push(id);
    let ofOne = 0;
    search: for await (const some of linesOf(await deps.files.read(key))) {
      signal.throwIfAborted();
      for (const line of some) {
        room -= line.text.length + 1;
        const text = fold(line.text);
        if (!folded.some((word) => text.includes(word))) continue;
        if (ofOne >= MAX_LINES_OF_ONE || found.lines.length >= limit) {
          found.more = true;
          break search;
        }
        ofOne += 1;
        found.lines.push({ ...line, id, fileName });
      }
      if (room <= 0) {
        found.more = true;
        break;
      }
    }
  }
  return found;
}

async function findVisible(
  { db, access }: Pick<Deps, "db" | "access">,
  userId: string,
  ids: readonly string[],
  query = "",
): Promise<StoredDocument[]> {
  if (ids.length === 0) return [];
  const found = await access.filterVisible(
    { userId },
    "document",
    await findDocuments(db, [...ids]),
  );
  const words = fold(query);
  return found
    .filter(({ fileName }) => fold(fileName).includes(words))
    .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
}

function pageOf<Item>(all: readonly Item[], limit: number, offset: number) {
  return { items: all.slice(offset, offset + limit), total: all.length };
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const KINDS = {
  pages: "page",
  slides: "slide",
  sheets: "sheet",
  chapters: "chapter",
  none: "section",
} as const;

/** What the file itself says of the parts that lines are in. */
function placesOf(lines: readonly Line[], layout: TextLayout): TextLines["places"] {
  const parts = [...new Set(lines.map(({ part }) => part))];
  return parts.map((part) => {
    // attached files follow the parts of the file
    const kind = part <= layout.parts ? KINDS[layout.kind] : "section";
    return { kind, part, name: layout.names?.[part - 1] || null };
  });
}
