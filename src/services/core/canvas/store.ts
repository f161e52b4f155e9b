import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { inTurn } from "../../../platform/db/batch-turns.ts";
import { deleteAll } from "../../../platform/db/delete-all.ts";
import type { Source } from "../sources/contract.ts";
import type { Canvas, CanvasEntry } from "./contract.ts";

type Dates<T> = Omit<T, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };

const CANVASES_PER_BATCH = 20;
const ENTRY = sql`c.id, c.conversation_id as "conversationId", c.title, c.type, c.language, c.version,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/**
 * The owner and conversation of a canvas, and one of its versions, by default the newest. `canvas`
 * is absent when there is no such version.
 */
export async function findCanvas(
  db: Database,
  id: string,
  { version, deleted = false }: { version?: number | undefined; deleted?: boolean } = {},
): Promise<
  { ownerId: string; conversationId: string | null; canvas: Canvas | undefined } | undefined
> {
  const state = deleted ? sql`c.deleted_at is not null` : sql`c.deleted_at is null`;
  const [row] = await db.query<
    Dates<Omit<Canvas, "content">> & {
      ownerId: string;
      shown: number | null;
      content: string | null;
    }
  >(sql`select ${ENTRY}, c.user_id as "ownerId", v.content, v.version as shown from core.canvases c
    left join core.canvas_versions v on v.canvas_id = c.id and v.version = coalesce(${version ?? null}, c.version)
    where c.id = ${id} and ${state}`);
  if (!row) return undefined;
  const { shown, ownerId, content, ...entry } = row;
  const canvas =
    shown === null || content === null
      ? undefined
      : { ...dated(entry), content, version: shown };
  return { ownerId, conversationId: row.conversationId, canvas };
}

/**
 * Locks a canvas and returns its newest version and title. It does not read the content, because
 * the database joins a row again after it waited for a lock.
 */
export async function lockCanvas(
  db: Database,
  id: string,
): Promise<{ version: number; title: string; userId: string } | undefined> {
  const [row] = await db.query<{ version: number; title: string; userId: string }>(
    sql`select version, title, user_id as "userId" from core.canvases where id = ${id} and deleted_at is null for update`,
  );
  return row;
}

interface Part {
  limit: number;
  offset: number;
}

/** Those of a user, or those in conversations, whoever made them; the last changed first. */
export async function listCanvases(
  db: Database,
  of: { userId: string } | { conversationIds: readonly string[] },
  { limit, offset }: Part,
): Promise<{ items: (CanvasEntry & { ownerId: string })[]; total: number }> {
  const whose =
    "userId" in of
      ? sql`c.user_id = ${of.userId}`
      : sql`c.conversation_id = any(${of.conversationIds}::uuid[])`;
  const where = sql`${whose} and c.deleted_at is null`;
  const rows = await db.query<Dates<CanvasEntry> & { ownerId: string }>(
    sql`select ${ENTRY}, c.user_id as "ownerId" from core.canvases c where ${where}
      order by c.updated_at desc, c.id desc limit ${limit} offset ${offset}`,
  );
  return { items: rows.map(dated), total: await countWhere(db, where) };
}

/** A user's trash, the last deleted first. */
export async function listDeletedCanvases(
  db: Database,
  userId: string,
  { limit, offset }: Part,
) {
  const where = sql`c.user_id = ${userId} and c.deleted_at is not null`;
  const rows = await db.query<Dates<CanvasEntry> & { deletedAt: Date }>(
    sql`select ${ENTRY}, c.deleted_at as "deletedAt" from core.canvases c where ${where}
      order by c.deleted_at desc, c.id desc limit ${limit} offset ${offset}`,
  );
  const items = rows.map((row) => ({
    ...dated(row),
    deletedAt: row.deletedAt.toISOString(),
  }));
  return { items, total: await countWhere(db, where) };
}

async function countWhere(db: Database, where: Sql): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.canvases c where ${where}`,
  );
  return count?.total ?? 0;
}

/** Leaves out canvases in the trash. */
export async function countCanvases(db: Database, userId: string): Promise<number> {
  return countWhere(db, sql`c.user_id = ${userId} and c.deleted_at is null`);
}

interface NewRow {
  id: string;
  /** Returns the owner. */
  userId: string;
  createdBy: string;
  clientId: string;
  conversationId: string | null;
  title: string;
  type: Canvas["type"];
  language: string | null;
  content: string;
  /** The reply in which a model writes it. */
  messageId?: string | undefined;
}

export async function insertCanvas(
  db: Database,
  {
    id,
    userId,
    createdBy,
    clientId,
    conversationId,
    title,
    type,
    language,
    ...first
  }: NewRow,
): Promise<void> {
  const { content, messageId = null } = first;
  await db.query(sql`with canvas as (
      insert into core.canvases (id, user_id, client_id, conversation_id, title, type, language, bytes)
      values (${id}, ${userId}, coalesce((select client_id from core.conversations where id = ${conversationId}), ${clientId}), ${conversationId}, ${title}, ${type}, ${language}, octet_length(${content})))
    insert into core.canvas_versions (canvas_id, version, content, created_by, message_id)
    values (${id}, 1, ${content}, ${createdBy}, ${messageId})`);
}

/** Call it inside a transaction, with the canvas locked. */
export async function insertVersion(
  db: Database,
  id: string,
  {
    version,
    content,
    title,
    createdBy,
    messageId = null,
  }: {
    version: number;
    content: string;
    title: string;
    createdBy: string;
    messageId?: string | null | undefined;
  },
): Promise<void> {
  await db.query(
    sql`insert into core.canvas_versions (canvas_id, version, content, created_by, message_id)
      values (${id}, ${version}, ${content}, ${createdBy}, ${messageId})`,
  );
  await db.query(
    sql`update core.canvases set version = ${version}, title = ${title}, updated_at = now(),
      bytes = bytes + octet_length(${content}) where id = ${id}`,
  );
}

export async function renameCanvas(db: Database, id: string, title: string): Promise<void> {
  await db.query(
    sql`update core.canvases set title = ${title}, updated_at = now() where id = ${id}`,
  );
}

export async function setCanvasDeleted(
  db: Database,
  id: string,
  deleted: boolean,
): Promise<void> {
  await db.query(
    sql`update core.canvases set deleted_at = ${deleted ? sql`now()` : sql`null`} where id = ${id}`,
  );
}

/** Deletes the canvases that were in the trash for longer. @throws NotDeleted */
export function purgeCanvases(
  db: Database,
  olderThanMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`deleted_at < now() - ${olderThanMs} * interval '1 millisecond'`;
  return deleteWhere(db, isOld, signal);
}

/** Deletes a user's canvases. @throws NotDeleted */
export async function deleteCanvasesOf(db: Database, userId: string): Promise<void> {
  // one index has those outside the trash, another those in it
  for (const part of [sql`deleted_at is null`, sql`deleted_at is not null`])
    await deleteWhere(db, sql`user_id = ${userId} and ${part}`);
}

/** Their versions go with them. */
function deleteWhere(db: Database, where: Sql, signal?: AbortSignal): Promise<void> {
  const next = async (after: string) => {
    const rows = await db.query<{ id: string }>(sql`select id from core.canvases
      where ${where} and id > ${after} order by id limit ${CANVASES_PER_BATCH}`);
    return rows.map(({ id }) => id);
  };
  const remove = (ids: string[]) =>
    inTurn(db, () =>
      db.query(sql`delete from core.canvases where id = any(${ids}::uuid[])`),
    );
  return deleteAll({ next, remove }, signal);
}

export async function listCanvasVersions(
  db: Database,
  id: string,
  { limit, offset }: Part,
) {
  const rows = await db.query<{
    version: number;
    createdBy: string;
    messageId: string | null;
    characters: number;
    createdAt: Date;
  }>(
    sql`select version, created_by as "createdBy", message_id as "messageId",
      length(content) as characters, created_at as "createdAt" from core.canvas_versions
      where canvas_id = ${id} order by version desc limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.canvas_versions where canvas_id = ${id}`,
  );
  return {
    items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    total: count?.total ?? 0,
  };
}

function dated<T extends { createdAt: Date; updatedAt: Date }>(row: T) {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What the newest reply had read that wrote this version, or one before it. */
export async function findSources(
  db: Database,
  id: string,
  version: number,
): Promise<Source[]> {
  const [row] = await db.query<{ sources: Source[] }>(sql`
    select m.sources from core.canvas_versions v join core.messages m on m.id = v.message_id
    where v.canvas_id = ${id} and v.version <= ${version} and m.sources <> '[]'
    order by v.version desc limit 1`);
  return row?.sources ?? [];
}
