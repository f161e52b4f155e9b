import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { TooLarge } from "../../../platform/http/errors.ts";
import { MAX_FILES } from "../../sandbox/contract-limits.ts";
import type { WrittenFile } from "../../sandbox/contract.ts";

export interface ConversationFile {
  id: string;
  conversationId: string;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  storageKey: string;
}

/** With the time when it was written. */
export type ListedFile = ConversationFile & { createdAt: Date };

/** Of one conversation. The oldest are deleted when there are more. */
const MAX_KEPT_FILES = 200;
const MAX_KEPT_BYTES = 300 * 2 ** 20;
const REMOVALS_PER_BATCH = 50;

/** Lists what a call is going to write for removal in a day, so that nothing stays if it dies. */
export async function reserveKeys(db: Database): Promise<string> {
  const prefix = `code/${randomUUID()}`;
  await db.query(sql`insert into core.file_removals (storage_key, due_at)
    values (${`${prefix}/`}, now() + interval '1 day')`);
  return prefix;
}

/** After a call that failed. */
export async function releaseKeys(db: Database, prefix: string): Promise<void> {
  await db.query(sql`update core.file_removals set due_at = now()
    where storage_key = ${`${prefix}/`}`);
}

/**
 * Makes what a call wrote files of the conversation.
 * @throws TooLarge `code_files_quota` when the owner's files have more bytes than `maxBytes`.
 */
export async function keepFiles(
  db: Database,
  {
    conversationId,
    prefix,
    maxBytes,
  }: { conversationId: string; prefix: string; maxBytes: number },
  written: readonly WrittenFile[],
): Promise<ConversationFile[]> {
  const files = written.map(({ key: storageKey, ...file }) => ({
    // ids order files of the same moment
    id: uuidv7(),
    conversationId,
    storageKey,
    ...file,
  }));
  return db.tx(async () => {
    const [conversation] = await db.query(sql`select from core.conversations
      where id = ${conversationId} for key share`);
    // it was deleted while its code ran
    if (!conversation) {
      await releaseKeys(db, prefix);
      return [];
    }
    if (files.length > 0) await refuseBeyond(db, conversationId, files, maxBytes);
    await db.query(sql`delete from core.file_removals where storage_key = ${`${prefix}/`}`);
    const column = <Key extends keyof ConversationFile>(key: Key) =>
      files.map((file) => file[key]);
    await db.query(sql`insert into core.conversation_files
        (id, conversation_id, name, media_type, size, sha256, storage_key)
      select id, ${conversationId}, name, media_type, size, sha256, storage_key
      from unnest(${column("id")}::uuid[], ${column("name")}::text[],
        ${column("mediaType")}::text[], ${column("size")}::bigint[], ${column("sha256")}::text[],
        ${column("storageKey")}::text[]) as given (id, name, media_type, size, sha256, storage_key)`);
    await deleteOldest(db, conversationId);
    return files;
  });
}

/** The newest file of each name. */
export async function listNewest(
  db: Database,
  conversationId: string,
): Promise<ListedFile[]> {
  return db.query<ListedFile>(sql`select distinct on (name) id,
      conversation_id as "conversationId", name, media_type as "mediaType", size::float8 as size,
      sha256, storage_key as "storageKey", created_at as "createdAt"
    from core.conversation_files where conversation_id = ${conversationId}
    order by name, created_at desc, id desc`);
}

export async function findFile(
  db: Database,
  id: string,
): Promise<ConversationFile | undefined> {
  const [file] = await db.query<ConversationFile>(sql`select id,
      conversation_id as "conversationId", name, media_type as "mediaType", size::float8 as size,
      sha256, storage_key as "storageKey"
    from core.conversation_files where id = ${id}`);
  return file;
}

/** Deletes a file and the earlier ones of its name. @returns whether it was there. */
export async function deleteFile(
  db: Database,
  { conversationId, fileId }: { conversationId: string; fileId: string },
): Promise<boolean> {
  const rows = await db.query(sql`delete from core.conversation_files
    where conversation_id = ${conversationId} and name = (
      select name from core.conversation_files
      where id = ${fileId} and conversation_id = ${conversationId})
      and (created_at, id) <= (
        select created_at, id from core.conversation_files where id = ${fileId})
    returning id`);
  return rows.length > 0;
}

/** Deletes bytes that nothing names any more. @returns how many removals are done. */
export async function removeFiles(db: Database, files: Files): Promise<number> {
  const due = await db.query<{ key: string }>(sql`select storage_key as key
    from core.file_removals where due_at <= now() order by due_at limit ${REMOVALS_PER_BATCH}`);
  for (const { key } of due) {
    const isCall = key.endsWith("/");
    const keys = isCall ? Array.from({ length: MAX_FILES }, (_, n) => `${key}${n}`) : [key];
    for (const one of keys) await files.delete(one);
    await db.query(sql`delete from core.file_removals where storage_key = ${key}`);
  }
  return due.length;
}

/** One user of a shared conversation must not fill the storage of its owner. */
async function refuseBeyond(
  db: Database,
  conversationId: string,
  files: readonly { size: number }[],
  maxBytes: number,
): Promise<void> {
  const [row] = await db.query<{ bytes: number }>(sql`select
      coalesce(sum(file.size), 0)::float8 as bytes
    from core.conversations own
      join core.conversations conversation on conversation.user_id = own.user_id
      join core.conversation_files file on file.conversation_id = conversation.id
    where own.id = ${conversationId}`);
  const added = files.reduce((sum, { size }) => sum + size, 0);
  if ((row?.bytes ?? 0) + added <= maxBytes) return;
  throw new TooLarge(
    "code_files_quota",
    `The files that code wrote in all conversations have ${maxBytes} bytes at most. Delete a ` +
      "conversation with large files for good, or write smaller ones.",
    { params: { maxBytes } },
  );
}

async function deleteOldest(db: Database, conversationId: string): Promise<void> {
  await db.query(sql`delete from core.conversation_files where id in (
    select id from (
      select id, row_number() over newest as place, sum(size) over newest as bytes
      from core.conversation_files where conversation_id = ${conversationId}
      window newest as (order by created_at desc, id desc)) ranked
    where place > ${MAX_KEPT_FILES} or (bytes > ${MAX_KEPT_BYTES} and place > ${MAX_FILES}))`);
}
