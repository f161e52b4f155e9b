import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError, Conflict } from "../../../platform/http/errors.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import { SEEN_IMAGES } from "../../completion/contract-model-kinds.ts";
import { type Access } from "../access.ts";
import { documentNotFound } from "../contract-not-found.ts";
import { changeDocument, readUnread } from "../change-document.ts";
import type { Attributes } from "../contract-attributes.ts";
import type { StoredDocument } from "../contract-stored.ts";
import type { ProcessingDeps } from "../process-document.ts";
import { findDocuments } from "../store.ts";
import { AT_ONCE, registerPlaces } from "./register-places.ts";
import { removeStoreFile, saveStoreFiles } from "./store-files.ts";

interface Deps {
  db: Database;
  access: Access;
}

export interface FileToAttach {
  id: string;
  attributes: Attributes;
}

/**
 * Attaches documents to a store, into whose folder the user may write. Documents of their own
 * that are in no folder move into it, unless their labels do not let whoever has the folder see
 * them; the others stay where they are. All are attached or none. A picture that was
 * given to a conversation is read now that it is a document.
 * @throws NotFound for one that the user may not see; Conflict `vector_store_full`,
 * `attachment_of_another`.
 */
export async function attachFiles(
  deps: Deps & ProcessingDeps,
  user: User,
  folderId: string,
  files: readonly FileToAttach[],
): Promise<void> {
  const { db, access } = deps;
  const asked = new Map(files.map((file) => [file.id, file]));
  const found = await findDocuments(db, [...asked.keys()]);
  const visible = await access.filterVisible(user, "document", found);
  if (visible.length < asked.size) throw documentNotFound();
  const unread = found.filter(isUnread);
  const foreign = unread.find(({ ownerId }) => ownerId !== user.userId);
  if (foreign) throw ofAnother(foreign);
  const movable = found
    .filter((document) => document.folderId === null && document.ownerId === user.userId)
    .map(({ id }) => id);
  const undo = async (error: unknown) => {
    await registerPlaces(deps, movable);
    throw error;
  };
  const registering = registerIn(access, user.userId, folderId, movable);
  const { registered, refused } = await registering.catch(undo);
  const attach = db.tx(async () => {
    const ids = [...asked.keys()].filter((id) => !refused.has(id));
    const here = await moveIntoFolder(db, user.userId, folderId, ids);
    const noted = [...asked.values()].filter(
      ({ id, attributes }) => !here.has(id) || Object.keys(attributes).length > 0,
    );
    await saveStoreFiles(db, folderId, noted);
    return here;
  });
  const lyingHere = await attach.catch(undo);
  // also for a caller who has left: access follows the place
  await registerPlaces(deps, [...new Set([...registered, ...lyingHere])]);
  for (const document of unread)
    if (lyingHere.has(document.id))
      await readUnread(deps, { ...document, isAttachment: false });
}

/** Nothing is read from a picture that only models see. */
function isUnread({ isAttachment, mimeType }: StoredDocument): boolean {
  return isAttachment && SEEN_IMAGES.includes(mimeType);
}

function ofAnother({ fileName }: StoredDocument): Conflict {
  return new Conflict(
    "attachment_of_another",
    `"${fileName}" is a picture that somebody else gave to a conversation, and nothing was read from it. ` +
      "Upload it yourself, and attach that file.",
    { params: { name: fileName } },
  );
}

/** Registers documents in a folder before they move there: labels refuse some. */
async function registerIn(
  access: Access,
  ownerId: string,
  folderId: string,
  ids: readonly string[],
): Promise<{ registered: string[]; refused: Set<string> }> {
  const refused = new Set<string>();
  const register = async (id: string) => {
    try {
      await access.register("document", id, ownerId, folderId);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "label_shared_outside"))
        throw error;
      refused.add(id);
    }
  };
  for (const some of inGroups(ids, AT_ONCE)) await Promise.all(some.map(register));
  return { registered: ids.filter((id) => !refused.has(id)), refused };
}

/**
 * Moves those that are the owner's and in no folder, in one statement: of two stores that ask for
 * a document at once, one gets it.
 * @returns those that lie in the folder now.
 */
async function moveIntoFolder(
  db: Database,
  ownerId: string,
  folderId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  await db.query(sql`update documents.documents
    set folder_id = ${folderId}, purpose = nullif(purpose, 'attachment'), updated_at = now()
    where id = any(${[...ids]}::uuid[]) and folder_id is null and owner_id = ${ownerId}`);
  const here = await db.query<{ id: string }>(sql`select id from documents.documents
    where id = any(${[...ids]}::uuid[]) and folder_id = ${folderId}`);
  return new Set(here.map(({ id }) => id));
}

/** Takes a document out of a store; it stays where else it is. */
export async function detachFile(
  deps: Deps,
  user: User,
  folderId: string,
  id: string,
): Promise<void> {
  const [document] = await findDocuments(deps.db, [id]);
  if (document?.folderId === folderId)
    await changeDocument(deps, user, id, { folderId: null });
  await removeStoreFile(deps.db, folderId, id);
}
