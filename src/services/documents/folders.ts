import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../platform/db/database.ts";
import { insertWithinLimit } from "../../platform/db/insert-within-limit.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import { isForeignKeyViolation } from "../../platform/db/errors.ts";
import type { User } from "../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../platform/http/errors.ts";
import type { Access } from "./access.ts";
import { type Folder, type ListedFolder, MAX_COUNTED } from "./contract-folders.ts";
import type { ProcessingSettings } from "./contract-stored.ts";
import { registerPlace } from "./register-place.ts";

type Row = Omit<Folder, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };
const COLUMNS = sql`id, name, parent_id as "parentId", owner_id as "ownerId", settings,
  created_at as "createdAt", updated_at as "updatedAt"`;
const MAX_DEPTH = 20;

export async function findFolder(db: Database, id: string): Promise<Folder | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from documents.folders where id = ${id}`,
  );
  return row && toFolder(row);
}

/** Folders in no particular order. */
export async function findFolders(db: Database, ids: readonly string[]): Promise<Folder[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from documents.folders where id = any (${ids}::uuid[])`,
  );
  return rows.map(toFolder);
}

export async function listFolders(
  db: Database,
  {
    ownerId,
    parentId,
    query,
  }: {
    ownerId?: string;
    parentId?: string | undefined;
    /** Part of the name. */
    query?: string | undefined;
  },
  limit: number,
  offset: number,
): Promise<{ items: ListedFolder[]; total: number }> {
  const where = sql`(${ownerId ?? null}::text is null or owner_id = ${ownerId ?? null})
    and (${parentId ?? null}::uuid is null or parent_id = ${parentId ?? null})
    and (${query ?? null}::text is null
      or strpos(documents.fold_text(name), documents.fold_text(${query ?? null})) > 0)`;
  const rows = await db.query<Row & { documentCount: number }>(sql`
    select ${COLUMNS}, (
      select count(*)::int from (
        select 1 from documents.documents d where d.folder_id = folders.id
        limit ${MAX_COUNTED + 1}) counted) as "documentCount"
    from documents.folders where ${where}
    order by lower(name), id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from documents.folders where ${where}`,
  );
  const items = rows.map((row) => {
    return { ...toFolder(row), documentCount: row.documentCount };
  });
  return { items, total: count?.total ?? 0 };
}

interface Deps {
  db: Database;
  access: Access;
}

/**
 * @throws NotFound or Forbidden when the user may not write to the parent, Conflict
 * `too_many_folders`.
 */
export async function createFolder(
  { db, access, maxFolders }: Deps & { maxFolders: number },
  user: User,
  {
    name,
    parentId,
    settings,
  }: { name: string; parentId: string | null; settings: ProcessingSettings },
): Promise<Folder> {
  const id = uuidv7();
  const { userId: ownerId, clientId } = user;
  const limit = {
    key: `document folders of ${ownerId}`,
    max: maxFolders,
    count: async () => (await listFolders(db, { ownerId }, 1, 0)).total,
    code: "too_many_folders",
    message: `You have ${maxFolders} folders, the most that one may have. Delete some first.`,
  };
  if (parentId !== null) await requireParent(db, access, user, parentId);
  await insertWithinLimit(db, limit, async () => {
    await lockTrees(db, clientId);
    if (parentId !== null) await checkPlace(db, parentId, undefined);
    await db.query(sql`insert into documents.folders
        (id, owner_id, client_id, parent_id, name, settings)
      values (${id}, ${ownerId}, ${clientId}, ${parentId}, ${name}, ${jsonb(settings)})`);
  });
  await access.register("folder", id, ownerId, parentId);
  return read(db, id);
}

/**
 * Renames or moves a folder, or changes how its files are processed. A move is registered before
 * it is stored, because labels may refuse it.
 * @throws Conflict `folder_cycle`, `folder_too_deep` or `label_shared_outside`.
 */
export async function changeFolder(
  { db, access }: Deps,
  user: User,
  id: string,
  change: {
    name?: string | undefined;
    parentId?: string | null | undefined;
    settings?: ProcessingSettings | undefined;
  },
): Promise<Folder> {
  const before = await requireOwner(db, access, user, id);
  const { parentId } = change;
  if (parentId) await requireParent(db, access, user, parentId);
  const find = () => read(db, id);
  const register = () => registerPlace(access, "folder", find, (folder) => folder.parentId);
  if (parentId !== undefined && parentId !== before.parentId) {
    if (parentId !== null) await checkPlace(db, parentId, id);
    await access.register("folder", id, before.ownerId, parentId);
  }
  const store = db.tx(async () => {
    await lockTrees(db, user.clientId);
    if (change.parentId) await checkPlace(db, change.parentId, id);
    const keep = (value: unknown, column: Sql): Sql =>
      value === undefined ? column : sql`${value}`;
    await db.query(sql`update documents.folders set name = ${keep(change.name, sql`name`)},
      parent_id = ${keep(change.parentId, sql`parent_id`)},
      settings = ${change.settings === undefined ? sql`settings` : jsonb(change.settings)},
      updated_at = now() where id = ${id}`);
  });
  await store.catch(async (error: unknown) => {
    await register();
    throw error;
  });
  return register();
}

/** @throws Conflict `folder_not_empty`. */
export async function deleteFolder(
  { db, access }: Deps,
  user: User,
  id: string,
): Promise<void> {
  await requireOwner(db, access, user, id);
  try {
    await db.query(sql`delete from documents.folders where id = ${id}`);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw folderNotEmpty();
  }
  await access.forget("folder", id);
}

export function folderNotEmpty(): Conflict {
  return new Conflict(
    "folder_not_empty",
    "The folder is not empty. Move or delete its content first.",
  );
}

async function requireOwner(
  db: Database,
  access: Access,
  user: User,
  id: string,
): Promise<Folder> {
  return access.require(user, "folder", await findFolder(db, id), "owner");
}

async function requireParent(
  db: Database,
  access: Access,
  user: User,
  id: string,
): Promise<void> {
  await access.require(user, "folder", await findFolder(db, id), "editor");
}

/** Checks the parent of a new folder, or of a folder that is moved with its contents. */
async function checkPlace(
  db: Database,
  parentId: string,
  moved: string | undefined,
): Promise<void> {
  const path = await db.query<{ id: string }>(sql`with recursive path as (
      select id, parent_id, 1 as depth from documents.folders where id = ${parentId}
      union all
      select f.id, f.parent_id, p.depth + 1
      from documents.folders f join path p on f.id = p.parent_id where p.depth < 100)
    select id from path`);
  if (path.some(({ id }) => id === moved))
    throw new Conflict(
      "folder_cycle",
      "A folder cannot be moved into itself or into one of its subfolders. Choose another one.",
    );
  const levels = moved === undefined ? 1 : await countLevels(db, moved);
  if (path.length + levels > MAX_DEPTH)
    throw new Conflict(
      "folder_too_deep",
      `Folders may be nested ${MAX_DEPTH} deep. Choose a folder nearer to the top.`,
      { params: { max: MAX_DEPTH } },
    );
}

/** A folder without subfolders has one level. */
async function countLevels(db: Database, folderId: string): Promise<number> {
  const [below] = await db.query<{ levels: number }>(sql`with recursive below as (
      select id, 1 as level from documents.folders where id = ${folderId}
      union all
      select f.id, b.level + 1
      from documents.folders f join below b on f.parent_id = b.id where b.level <= ${MAX_DEPTH})
    select max(level) as levels from below`);
  return below?.levels ?? 1;
}

/**
 * Serializes changes of a tenant's folder trees until the transaction ends: two concurrent moves
 * could form a cycle. A tree may hold folders of several owners.
 */
async function lockTrees(db: Database, clientId: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(7163, hashtext(${clientId}))`);
}

async function read(db: Database, id: string): Promise<Folder> {
  const folder = await findFolder(db, id);
  if (!folder)
    throw new NotFound(
      "folder_not_found",
      "The folder was deleted in the meantime. Choose another one.",
    );
  return folder;
}

function toFolder(row: Row): Folder {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
