import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Folder } from "./contract-folders.ts";

type Row = Omit<Folder, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };
const COLUMNS = sql`id, name, parent_id as "parentId", created_at as "createdAt", updated_at as "updatedAt"`;

export async function findFolder(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Folder | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from core.agent_folders where id = ${id} and owner_id = ${ownerId}`,
  );
  return row && folderOf(row);
}

export async function listFolders(
  db: Database,
  ownerId: string,
  limit: number,
  offset: number,
): Promise<{ items: Folder[]; total: number }> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.agent_folders where owner_id = ${ownerId} order by lower(name), id limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agent_folders where owner_id = ${ownerId}`,
  );
  return { items: rows.map(folderOf), total: count?.total ?? 0 };
}

export async function insertFolder(
  db: Database,
  folder: { id: string; ownerId: string; name: string; parentId: string | null },
): Promise<void> {
  await db.query(sql`insert into core.agent_folders (id, owner_id, name, parent_id)
    values (${folder.id}, ${folder.ownerId}, ${folder.name}, ${folder.parentId})`);
}

export async function updateFolder(
  db: Database,
  id: string,
  { name, parentId }: { name?: string | undefined; parentId?: string | null | undefined },
): Promise<void> {
  const keep = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  await db.query(sql`update core.agent_folders set name = ${keep(name, sql`name`)}, parent_id = ${keep(parentId, sql`parent_id`)}, updated_at = now()
    where id = ${id}`);
}

/** Deletes a folder and moves its content to the folder above. Call it inside a transaction. */
export async function removeFolder(db: Database, { id, parentId }: Folder): Promise<void> {
  await db.query(
    sql`update core.agents set folder_id = ${parentId} where folder_id = ${id}`,
  );
  await db.query(
    sql`update core.agent_folders set parent_id = ${parentId} where parent_id = ${id}`,
  );
  await db.query(sql`delete from core.agent_folders where id = ${id}`);
}

/** Returns the folder and its ancestors, nearest first. */
export async function pathOf(db: Database, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`with recursive path as (
      select id, parent_id, 1 as depth from core.agent_folders where id = ${id}
      union all
      select f.id, f.parent_id, p.depth + 1 from core.agent_folders f join path p on f.id = p.parent_id where p.depth < 1000)
    select id from path order by depth`);
  return rows.map((row) => row.id);
}

/** A folder without subfolders has one level. Counts to one more than `most`. */
export async function countLevels(db: Database, id: string, most: number): Promise<number> {
  const [below] = await db.query<{ levels: number }>(sql`with recursive below as (
      select id, 1 as level from core.agent_folders where id = ${id}
      union all
      select f.id, b.level + 1
      from core.agent_folders f join below b on f.parent_id = b.id where b.level <= ${most})
    select max(level) as levels from below`);
  return below?.levels ?? 1;
}

/** Locks an owner's tree until the transaction ends: two concurrent moves could create a cycle. */
export async function lockTree(db: Database, ownerId: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(7162, hashtext(${ownerId}))`);
}

function folderOf(row: Row): Folder {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
